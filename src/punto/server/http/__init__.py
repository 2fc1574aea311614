"""Requests and answers: endpoints, bodies read strictly, refusals with their statuses, and their OpenAPI."""
