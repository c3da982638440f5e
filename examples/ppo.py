"""Learn the base game by playing against oneself: PPO on the vector environment, held against `easy`.

    pip install 'bullpen-games[ppo]'
    python examples/ppo.py --minutes 5 --plot ppo.png

Many games run side by side and all their seats are played by one small network, which looks at every possible
play by itself: the card, the row it would go to, how full and how dear that row is, and how many cards that
nobody has seen yet lie between. From time to time it takes a seat among three bots, at the table of
`bullpen.envs.gymnasium`, and what it pays there is compared with what they pay.
"""

import argparse
import time
from dataclasses import dataclass, field

import gymnasium
import matplotlib
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from tqdm import tqdm

import bullpen.envs.gymnasium
from bullpen.envs import layout
from bullpen.envs.vector import VectorEnv

GAMES, STEPS = 512, 12
"""Games side by side, and the steps that are learned from together."""
EPOCHS, SAMPLES, CLIP, FADING, BONUS = 3, 4096, 0.2, 0.95, 0.01
"""How often and in what portions; the bound of PPO; lambda of the advantages; what variety is worth."""
CARDS, ROWS, ROW, HIGHEST = 10, 4, 240, 104
PLAYS, FACTS, SCENE = CARDS + ROWS, 14, 4
"""Plays at most: the cards of a hand or the rows; what is known of each, and of the game."""

Sample = tuple[Tensor, ...]


class Eyes:
    """Reads observations, without knowing more than they say."""

    def __init__(self, players: int) -> None:
        self.layout = layout("base", players)
        self.heads = torch.tensor([0, *(bullpen.bullheads(card) for card in range(1, HIGHEST + 1))])

    def part(self, seen: Tensor, name: str) -> Tensor:
        """Return a slice of the observations."""
        return seen[:, self.layout[name].place].long()

    def look(self, seen: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return the possible plays: their numbers, the facts about them, the scene, and which are legal."""
        counts, heads = self.part(seen, "counts"), self.part(seen, "bullheads")
        rows = self.part(seen, "rows").view(-1, ROWS, 5)
        ends = rows.gather(2, (counts - 1).clamp(min=0)[:, :, None])[:, :, 0]
        hand = self.part(seen, "hand")
        hidden = 1 - (hand + self.part(seen, "seen")).clamp(max=1)
        below = nn.functional.pad(hidden.cumsum(1), (1, 0))
        held, cards = hand.topk(CARDS, 1)
        cards = (cards + 1) * held
        gaps = cards[:, :, None] - ends[:, None, :]
        gap, row = gaps.masked_fill(gaps <= 0, HIGHEST + 1).min(2)
        low = gap > HIGHEST
        count, worth = counts.gather(1, row), heads.gather(1, row)
        between = below.gather(1, (cards - 1).clamp(min=0)) - below.gather(1, ends).gather(1, row)
        cheapest = heads.amin(1, keepdim=True).expand_as(worth)
        facts = torch.zeros(len(seen), PLAYS, FACTS)
        facts[:, :CARDS, 0] = torch.where(low, 0, gap) / 20
        facts[:, :CARDS, 1:6] = nn.functional.one_hot((count - 1).clamp(min=0), 5) * ~low[:, :, None]
        facts[:, :CARDS, 6] = torch.where(low, cheapest, worth) / 10
        facts[:, :CARDS, 7] = torch.where(low, 0, between) / 10
        facts[:, :CARDS, 8] = low.float()
        facts[:, :CARDS, 9] = cards / HIGHEST
        facts[:, :CARDS, 10] = self.heads[cards] / 7
        facts[:, CARDS:, 11] = 1.0
        facts[:, CARDS:, 12] = heads / 10
        facts[:, CARDS:, 13] = ends / HIGHEST
        choosing = (self.part(seen, "question") == 2) & (self.part(seen, "asked")[:, :1] == 1)
        asked = (self.part(seen, "question") == 1) & (held == 1)
        legal = torch.cat([asked, choosing.expand(-1, ROWS)], 1)
        facts *= torch.cat([held == 1, choosing.expand(-1, ROWS)], 1)[:, :, None]
        trick, left = self.part(seen, "trick") / 10, hidden.sum(1, keepdim=True) / 100
        scene = torch.cat([trick, left, cheapest[:, :1] / 10, choosing], 1)
        numbers = torch.cat([cards, torch.arange(ROW, ROW + ROWS).expand(len(seen), -1)], 1)
        return numbers, facts, scene, legal


class Network(nn.Module):
    """Scores every play beside all the others, and says what the rest of the round will cost."""

    def __init__(self, width: int = 64) -> None:
        super().__init__()
        self.each = nn.Sequential(
            nn.Linear(FACTS + SCENE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.score = nn.Sequential(nn.Linear(2 * width, width), nn.ReLU(), nn.Linear(width, 1))
        self.value = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, facts: Tensor, scene: Tensor, legal: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the plays, and the values."""
        each = self.each(torch.cat([facts, scene[:, None].expand(-1, PLAYS, -1)], 2))
        mean = each.mean(1)
        logits = self.score(torch.cat([each, mean[:, None].expand_as(each)], 2))[:, :, 0]
        return logits.masked_fill(~legal, -1e9), self.value(mean)[:, 0]


@dataclass
class Course:
    """What has been learned so far, for people to look at."""

    steps: list[int] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)
    in_environment: float = 0.0
    begun: float = field(default_factory=time.perf_counter)

    @property
    def share(self) -> float:
        """The share of the time that the environment took."""
        return self.in_environment / (time.perf_counter() - self.begun)


class Learner:
    """Plays all seats of many games, and learns from them."""

    def __init__(self, players: int, seed: int) -> None:
        torch.manual_seed(seed)
        self.envs = VectorEnv("base", players=players, num_envs=GAMES, autoreset_mode="SameStep", copy=False)
        self.eyes, self.network = Eyes(players), Network()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3)
        self.players, self.course, self.steps = players, Course(), 0
        self.seen = torch.from_numpy(self.envs.reset(seed=seed)[0])

    @torch.no_grad()
    def choose(self, seen: Tensor, *, greedy: bool = False) -> tuple[Tensor, Sample]:
        """Return the actions for observations, and what will be learned from."""
        numbers, facts, scene, legal = self.eyes.look(seen)
        logits, values = self.network(facts, scene, legal)
        spread = torch.distributions.Categorical(logits=logits, validate_args=False)
        plays = logits.argmax(1) if greedy else spread.sample()
        actions = numbers.gather(1, plays[:, None])[:, 0] * legal.any(1)
        return actions, (facts, scene, legal, plays, spread.log_prob(plays), values)

    def play(self) -> Sample:
        """Play some steps; return what was seen and done where somebody had a choice, and how it went."""
        samples, rewards, ends = [], [], []
        for _ in range(STEPS):
            actions, sample = self.choose(self.seen.view(-1, self.seen.shape[2]))
            samples.append(sample)
            begin = time.perf_counter()
            seen, reward, ended, *_ = self.envs.step(actions.view(GAMES, self.players).numpy())
            self.course.in_environment += time.perf_counter() - begin
            self.seen = torch.from_numpy(seen)
            rewards.append(torch.from_numpy(reward).view(-1) / 10)
            ends.append(torch.from_numpy(ended).repeat_interleave(self.players).float())
        _, last = self.choose(self.seen.view(-1, self.seen.shape[2]))
        values = [sample[5] for sample in samples] + [last[5]]
        advantages, ahead = [], torch.zeros_like(values[0])
        for k in reversed(range(STEPS)):
            goes_on = 1 - ends[k]
            surprise = rewards[k] + goes_on * values[k + 1] - values[k]
            ahead = surprise + FADING * goes_on * ahead
            advantages.insert(0, ahead)
        parts = [torch.cat(part) for part in zip(*samples, strict=True)]
        gained = torch.cat(advantages)
        had_choice = parts[2].sum(1) > 1
        self.steps += int(parts[2].any(1).sum())
        return tuple(part[had_choice] for part in (*parts, gained, gained + parts[5]))

    def learn(self, data: Sample) -> None:
        """Make what went better than expected more likely, but not by too much at once."""
        for _ in range(EPOCHS):
            for few in torch.randperm(len(data[0])).split(SAMPLES):
                facts, scene, legal, plays, before, _, gained, value = (part[few] for part in data)
                logits, values = self.network(facts, scene, legal)
                spread = torch.distributions.Categorical(logits=logits, validate_args=False)
                gained = (gained - gained.mean()) / (gained.std() + 1e-6)
                ratio = (spread.log_prob(plays) - before).exp()
                gain = torch.min(ratio * gained, ratio.clamp(1 - CLIP, 1 + CLIP) * gained).mean()
                chances = spread.probs
                variety = -(chances * (chances + 1e-9).log()).sum(1).mean()
                loss = -gain + 0.5 * (values - value).pow(2).mean() - BONUS * variety
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                self.optimizer.step()

    def slow_down(self, done: float) -> None:
        """Take smaller steps towards the end."""
        self.optimizer.param_groups[0]["lr"] = 1e-3 * (1 - 0.9 * min(done, 1.0))


def against(learner: Learner, bot: str, rounds: int, seed: int) -> NDArray[np.float64]:
    """Let the network take a seat among bots; return [rounds, 2]: its bullheads, and theirs on average."""
    table = gymnasium.make("bullpen/Base-v0", players=learner.players, opponents=bot)
    points, paid = learner.eyes.layout["points"].place, []
    for number in range(rounds):
        seen, _ = table.reset(seed=seed + number)
        over = False
        while not over:
            actions, _ = learner.choose(torch.from_numpy(seen)[None], greedy=True)
            seen, _, over, _, _ = table.step(int(actions[0]))
        paid.append((seen[points][0], seen[points][1:].mean()))
    return np.array(paid, np.float64)


def draw(course: Course, bot: str, file: str) -> None:
    """Draw how it went."""
    matplotlib.use("Agg")
    from matplotlib import pyplot  # noqa: PLC0415 after the choice of how to draw

    pyplot.figure(figsize=(7, 4))
    pyplot.plot(course.steps, course.ours, label="the network")
    pyplot.plot(course.steps, course.theirs, label=f"{bot}, in the same rounds")
    pyplot.xlabel("choices learned from")
    pyplot.ylabel("bullheads a round")
    pyplot.legend()
    pyplot.tight_layout()
    pyplot.savefig(file, dpi=120)


def main() -> None:
    """Learn for some minutes, then play the bot for good."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--minutes", type=float, default=5.0, help="for learning, looks at the bot included")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--against", default="easy", help="the bot to be held against")
    parser.add_argument("--rounds", type=int, default=1000, help="of the last comparison")
    parser.add_argument("--plot", default="ppo.png")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    learner = Learner(given.players, given.seed)
    course, seconds = learner.course, given.minutes * 60
    course.begun = time.perf_counter()
    look = 0.0
    with tqdm(total=round(seconds), unit="s", bar_format="{l_bar}{bar}| {n:.0f}/{total} s{postfix}") as bar:
        while (spent := time.perf_counter() - course.begun) < seconds:
            learner.slow_down(spent / seconds)
            learner.learn(learner.play())
            if spent >= look:
                look = spent + seconds / 20
                ours, theirs = against(learner, given.against, 100, seed=10**6).mean(0)
                course.steps.append(learner.steps)
                course.ours.append(ours)
                course.theirs.append(theirs)
            now = f"{course.ours[-1]:.2f} bullheads, {given.against} {course.theirs[-1]:.2f}"
            bar.set_postfix_str(f"{learner.steps / 1e6:.2f} M choices, {now}")
            bar.n = min(time.perf_counter() - course.begun, seconds)
            bar.refresh()
    share = course.share
    paid = against(learner, given.against, given.rounds, seed=10**7)
    gap = paid[:, 1] - paid[:, 0]
    error = gap.std() / len(gap) ** 0.5
    draw(course, given.against, given.plot)
    ours, theirs = paid.mean(0)
    print(f"{learner.steps / 1e6:.2f} M choices learned from; {share:.1%} of the time was the environment's")
    print(f"{given.rounds} rounds: the network {ours:.2f} bullheads a round, {given.against} {theirs:.2f}")
    print(f"It pays {abs(gap.mean()):.2f} ± {error:.2f} {'less' if ours < theirs else 'more'}.")


if __name__ == "__main__":
    main()
