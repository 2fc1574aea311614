"""Commands that compute: exact odds, advice, insurance, counting, simulation and the PAR sheet."""
