"""A shuffle that people can check: the house commits to a seed, players may add bytes, the seed is opened."""
