"""Arrays, and the environments of other frameworks."""

from __future__ import annotations

import copy
import os
import pickle
import re
import warnings
from collections.abc import Callable
from typing import Any

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
    with pytest.raises(ValueError, match="encoding 'ewn-v9': expected ewn-v3, ewn-v2, ewn-v1"):
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


def told_by_a_child(work: Callable[[], object]) -> str:
    """What ``work`` returns in a process that is forked off."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # Other tests have started threads, none of which the child needs.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        try:
            os.write(writer, repr(work()).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        text = told.read()
    os.waitpid(child, 0)
    assert text
    return text


def vector_games(seed: int | None) -> Callable[[], object]:
    env = VectorEnv(size=8, seed=seed)

    def play() -> list[str]:
        env.step(env.sample())
        env.step(env.sample())
        return [env.position(lane).text for lane in range(8)]

    return play


def zoo_games(seed: int | None) -> Callable[[], object]:
    env = wurfel.zoo.env("einstein")
    env.reset(seed)

    def play() -> list[str]:
        texts: list[str] = []
        for _ in range(8):
            env.reset()
            texts.append(env.position.text)
        return texts

    return play


def side_games(seed: int | None) -> Callable[[], object]:
    env = wurfel.gym.SideEnv()
    env.reset(seed=seed)
    return lambda: [env.reset()[1]["position"].text for _ in range(8)]


def agent_moves(seed: int | None) -> Callable[[], object]:
    agent = wurfel.agent("random", seed=seed)
    position = Position("ABC2/DE3/F3f/3ed/2cba r 4")
    return lambda: [agent.decide(position).move for _ in range(64)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.parametrize("games", [vector_games, zoo_games, side_games, agent_moves])
def test_a_forked_process_rolls_dice_of_its_own_unless_a_seed_asks_for_the_same(
    games: Callable[[int | None], Callable[[], object]],
) -> None:
    play = games(None)
    children = {told_by_a_child(play) for _ in range(2)}
    assert len(children | {repr(play())}) == 3
    play = games(7)
    assert told_by_a_child(play) == repr(play())


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.uint16, np.int64])
def test_actions_are_whole_numbers_of_any_type(kind: type[Any]) -> None:
    one, other, third = (VectorEnv("einstein", size=4, seed=1) for _ in range(3))
    actions = one.sample()
    assert (other.sample() == actions).all() and (third.sample() == actions).all()
    one.step(actions)
    other.step(actions.astype(kind))
    third.step(actions.tolist())
    assert one.position(0) == other.position(0) == third.position(0)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (np.array([1.5, 2.0]), r"an array of float64 and shape \[2\]"),
        (np.array([[1], [2]]), r"an array of int64 and shape \[2, 1\]"),
        (np.array([True, False]), r"an array of bool and shape \[2\]"),
        ([1.5, 2], "a list"),
        ([[1], [2, 3]], "a list"),
        ("12", "a str"),
        (None, "a NoneType"),
    ],
)
def test_what_are_no_actions_is_refused_in_one_line(wrong: Any, told: str) -> None:
    env = VectorEnv(size=2, seed=1)
    with pytest.raises(ValueError) as error:
        env.step(wrong)
    assert re.fullmatch(f"actions: expected whole numbers in one dimension, not {told}", str(error.value))


@pytest.mark.parametrize("wrong", [1.5, np.float32(2), "3", np.array([1.5])])
def test_no_environment_rounds_an_action(wrong: Any) -> None:
    side, both = wurfel.gym.SideEnv(), wurfel.zoo.env("einstein")
    side.reset(seed=1)
    both.reset(seed=1)
    state = wurfel.spiel.load_game().new_initial_state()
    before = str(state)
    for step in (side.step, both.step, state.apply_action):
        with pytest.raises(ValueError, match="^action .*: expected a whole number$"):
            step(wrong)
    assert str(state) == before
    state.apply_action(np.int32(0))


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


def test_a_made_environment_is_copied_and_pickled_with_fresh_dice() -> None:
    env = gymnasium.make("wurfel/einstein-v1", opponent="greedy")
    env.reset(seed=5)
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        one, other = (of.unwrapped for of in (env, copied))
        assert isinstance(one, wurfel.gym.SideEnv) and isinstance(other, wurfel.gym.SideEnv)
        assert one is not other and one.opponent is not other.opponent
        assert (other.opponent.spec, other.opponent.game) == ("greedy", "einstein")
        _, info = copied.reset(seed=7)
        _, again = env.reset(seed=7)
        assert info["position"] == again["position"]
    # The same state goes on with other dice: that eight rolls agree has odds of 6 ** -8.
    env.reset(seed=5)
    copied = copy.deepcopy(env)
    positions: list[list[str]] = []
    for of in (env, copied):
        seen: list[str] = []
        unwrapped = of.unwrapped
        assert isinstance(unwrapped, wurfel.gym.SideEnv)
        position, done = unwrapped._position, False
        while not done:
            seen.append(str(position))
            action = wurfel.move_indices(position, unwrapped.encoding.name)[0]
            _, _, done, _, info = of.step(np.int64(action))
            position = info["position"]
        positions.append(seen)
    assert positions[0][0] == positions[1][0] and positions[0][1:] != positions[1][1:]


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


def test_a_game_begins_states_and_says_how_large_they_are() -> None:
    game = wurfel.spiel.load_game("einstein")
    state = game.new_initial_state()
    assert str(game) == "einstein" and game.num_players() == 2 and game.utility_sum() == 0.0
    assert state.observation_tensor().shape == tuple(game.observation_tensor_shape())
    assert game.new_initial_state(seed=3).position == game.new_initial_state(seed=3).position != state.position
    assert (game.min_utility(), game.max_utility()) == (-1.0, 1.0)
    state.apply_action(0)
    assert max(state.legal_actions()) < game.num_distinct_actions()


@pytest.mark.parametrize("game", GAMES)
def test_a_state_has_explicit_chance_nodes(game: str) -> None:
    state = wurfel.spiel.load_game(game).new_initial_state()
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
