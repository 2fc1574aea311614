"""Statistics that watch a table: results against exact odds, with limits that hold however often one looks.

Chances are taken over the cards that had not been seen when bets were called, so a round says how it compares
with its own odds, and neither the cut card nor a run of luck is mistaken for a fault. Evidence is kept as an
e-value: the capital of somebody who bets against the honest table at fair odds. On an honest table it exceeds
1,000 at any time, ever, with a chance of at most 1 in 1,000 (Ville's inequality). That is why one may look
after every round and stop when one likes.
"""
