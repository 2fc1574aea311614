"""Looking back at stored tables: was the shoe honest, is this what happened, has anybody changed it since?"""
