"""Arrays, and the environments of other frameworks."""

from __future__ import annotations

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test  # pyright: ignore[reportUnknownVariableType]

import wurfel
import wurfel.gym
import wurfel.spiel
import wurfel.zoo
from wurfel import Position, VectorEnv

GAMES = [game.name for game in wurfel.games()]


def test_planes_show_the_board_from_the_side_to_move() -> None:
    # Encoding ewn-v2: six planes with the cubes of the side to move, six with the enemy's, one with the cubes
    # that the die lets move, one of ones; blue sees the board after a half turn.
    red, blue = (Position(f"A4/5/5/5/3Fa {side}") for side in ("r 1", "b 1"))
    planes = wurfel.encode([red, blue], "ewn-v2")
    assert planes.shape == (2, 14, 5, 5) and planes.dtype == np.float32
    assert planes[0, 0, 0, 0] == 1 and planes[0, 5, 4, 3] == 1 and planes[0, 6, 4, 4] == 1
    assert planes[1, 0, 0, 0] == 1 and planes[1, 6, 4, 4] == 1 and planes[1, 11, 0, 1] == 1
    assert planes[0, 12].sum() == planes[1, 12].sum() == 1 and (planes[:, 13] == 1).all()


def test_a_mask_has_one_place_for_each_legal_move() -> None:
    turns = [Position("ABC2/DE3/F3f/3ed/2cba r 4"), Position("ABC2/DE3/F3f/3ed/2cba r")]
    mask = wurfel.legal_mask(turns)
    assert mask.shape == (2, 75) and mask.dtype == np.bool_
    assert list(np.flatnonzero(mask[0])) == sorted(wurfel.move_indices(turns[0])) and mask[0].sum() == 3
    assert not mask[1].any()


def test_what_cannot_be_encoded_is_refused() -> None:
    start = Position("ABC2/DE3/F3f/3ed/2cba r")
    with pytest.raises(ValueError, match="positions: expected at least one"):
        wurfel.encode([])
    with pytest.raises(ValueError, match="encoding 'ewn-v9': expected ewn-v3 or ewn-v2 or ewn-v1"):
        wurfel.encode([start], "ewn-v9")
    with pytest.raises(ValueError, match="expected one of einstein"):
        wurfel.encode([start, wurfel.game("dicechess").start()])


@pytest.mark.parametrize("game", GAMES)
def test_each_lane_of_a_vector_environment_follows_the_rules(game: str) -> None:
    env = VectorEnv(game, 8, seed=1)
    ended = 0
    for _ in range(150):
        before = [env.position(lane) for lane in range(env.size)]
        assert np.array_equal(env.action_mask, wurfel.legal_mask(before, env.encoding.name))
        assert np.array_equal(env.observations, wurfel.encode(before, env.encoding.name))
        assert [position.side for position in before] == list(env.sides)
        actions = env.sample()
        env.step(actions)
        for lane, position in enumerate(before):
            index = wurfel.move_indices(position, env.encoding.name).index(int(actions[lane]))
            after = position.play(position.legal_moves()[index])
            assert env.dones[lane] == after.is_over
            result = after.result(position.side)
            assert env.rewards[lane] == (0.0 if result is None else 2.0 * result - 1.0)
            if after.is_over:
                ended += 1
            else:
                now = env.position(lane)
                assert after == now or after.rolled(now.roll or "") == now
    assert ended > 0 or game.startswith("dicechess")


def test_a_vector_environment_repeats_itself_and_writes_in_place() -> None:
    one, other = VectorEnv(size=64, seed=4), VectorEnv(size=64, seed=9)
    other.reset(seed=4)
    one.reset(seed=4)
    seen = one.observations
    for _ in range(60):
        actions = one.sample()
        assert np.array_equal(actions, other.sample())
        one.step(actions)
        other.step(actions)
        assert np.array_equal(one.observations, other.observations)
        assert np.array_equal(one.rewards, other.rewards)
    assert seen is one.observations


def test_random_play_ends_like_that_of_an_independent_program() -> None:
    # 3 million games there: the first mover wins 53.23 %, a game takes 21.58 plies (standard deviation 4.62).
    env = VectorEnv(size=2000, seed=3)
    games = plies = 0
    for _ in range(200):
        env.step(env.sample())
        games += int(env.dones.sum())
        plies += env.size
    # Games that have begun and not ended count with the half of their length.
    assert plies / (games + env.size / 2) == pytest.approx(21.58, abs=0.35)
    assert set(np.unique(env.rewards)) <= {-1.0, 0.0, 1.0}


def test_wrong_actions_change_nothing() -> None:
    env = VectorEnv(size=2, seed=1)
    before = env.position(0)
    with pytest.raises(ValueError, match="action -1 of lane 1: expected one that the mask allows"):
        env.step(np.array([env.sample()[0], -1]))
    with pytest.raises(ValueError, match="3 actions: expected 2"):
        env.step(np.zeros(3, dtype=np.int64))
    with pytest.raises(ValueError, match="lane 2: expected one from 0 to 1"):
        env.position(2)
    with pytest.raises(ValueError, match="size=0: expected a number from 1 to"):
        VectorEnv(size=0)
    assert env.position(0) == before
    with pytest.raises(TypeError):
        copy.deepcopy(env)


@pytest.mark.parametrize("game", ["einstein", "dicechess", "dicechess3"])
def test_gymnasium_accepts_the_environment_of_a_side(game: str) -> None:
    env = gymnasium.make(f"wurfel/{game}-v1", opponent="random")
    with warnings.catch_warnings():
        # Planes have no bounds that all encodings share.
        warnings.filterwarnings("ignore", message=".*Box observation space m.*")
        check_env(env.unwrapped, skip_render_check=True)


def test_a_side_plays_a_game_to_its_end() -> None:
    env = wurfel.gym.SideEnv(opponent="random", render_mode="ansi")
    rewards: list[float] = []
    for game in range(20):
        _, info = env.reset(seed=game)
        done, reward = False, 0.0
        while not done:
            assert info["position"].side == info["side"]
            action = int(np.flatnonzero(info["action_mask"])[0])
            _, reward, done, _, info = env.step(action)
        rewards.append(reward)
    assert set(rewards) == {-1.0, 1.0} and "has won" in str(env.render())


def test_an_illegal_action_loses() -> None:
    env = gymnasium.make("wurfel/einstein-v1", disable_env_checker=True)
    _, info = env.reset(seed=1)
    _, reward, done, _, _ = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, done) == (-1.0, True)
    zoo = wurfel.zoo.env()
    zoo.reset(seed=1)
    loser = zoo.agent_selection
    zoo.step(int(np.flatnonzero(zoo.observe(loser)["action_mask"] == 0)[0]))
    assert zoo.rewards[loser] == -1.0 and sum(zoo.rewards.values()) == 0.0


@pytest.mark.parametrize("game", ["einstein", "dicechess3"])
def test_pettingzoo_accepts_the_environment_of_both_sides(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(wurfel.zoo.env(game), num_cycles=200)
    seed_test(lambda: wurfel.zoo.env(game), num_cycles=100)
    assert wurfel.zoo.env(game).metadata["name"] == f"{game}-v1"


def test_a_copied_environment_draws_fresh_dice() -> None:
    env = wurfel.zoo.env()
    env.reset(seed=5)
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        rolls: list[list[str | None]] = []
        for of in (env, copied):
            game = copy.copy(of)
            seen: list[str | None] = []
            while not game.terminations[game.agent_selection] and len(seen) < 12:
                seen.append(game.position.roll)
                game.step(int(np.flatnonzero(game.observe(game.agent_selection)["action_mask"])[0]))
            rolls.append(seen)
        # The first roll is on the table; that all the others agree has odds below 6 ** -7.
        assert rolls[0][0] == rolls[1][0] and rolls[0][1:] != rolls[1][1:]


@pytest.mark.parametrize("game", GAMES)
def test_a_state_has_explicit_chance_nodes(game: str) -> None:
    state = wurfel.spiel.load_game(game)
    random = np.random.default_rng(1)
    for _ in range(3000):
        if state.is_terminal():
            break
        assert state.is_chance_node() == (state.current_player() == wurfel.spiel.CHANCE)
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes(), strict=True)
            assert sum(odds) == pytest.approx(1.0) and list(outcomes) == state.legal_actions()
            action = int(random.choice(outcomes, p=odds))
        else:
            assert state.observation_tensor().shape == state.encoding.shape
            action = int(random.choice(state.legal_actions()))
        before, text = state.clone(), state.action_to_string(action)
        state.apply_action(action)
        assert before.action_to_string(action) == text and str(before) != str(state)
    assert state.is_terminal() and state.current_player() == wurfel.spiel.TERMINAL
    assert sum(state.returns()) == 0.0
