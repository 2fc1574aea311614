"""Environments for agents that learn: one player or very many (Gymnasium), and several boxes at a table (PettingZoo).

Importing this package registers `punto/Baccarat-v0` with Gymnasium. Needs the extra `rl`.
"""

from punto.extras import extra_needed

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise (extra_needed(error) or error) from None

from punto.rl.baccarat_env import BaccaratEnv
from punto.rl.oracle import Oracle, Regret, regret_of
from punto.rl.setting import Action, AgentSetting, Deciding, Move

ENV_ID = "punto/Baccarat-v0"

if ENV_ID not in gymnasium.registry:
    gymnasium.register(
        ENV_ID,
        entry_point="punto.rl.baccarat_env:BaccaratEnv",
        vector_entry_point="punto.rl.vector_env:BaccaratVectorEnv",
    )

__all__ = ["ENV_ID", "Action", "AgentSetting", "BaccaratEnv", "Deciding", "Move", "Oracle", "Regret", "regret_of"]
