"""Settings: the same by flag, environment and file, and a sentence for what cannot be used."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bullpen.server.__main__ import parser
from bullpen.server.config import Config
from bullpen.server.limits import PRESETS, Limits, Rate
from bullpen.server.settings import LIMITS, SETTINGS, BadSetting, config_from

ROOT = Path(__file__).parents[2]
HOSTING = ROOT / "docs" / "hosting.md"
OTHER: dict[str, tuple[str, Any]] = {
    "host": ("0.0.0.0", "0.0.0.0"),
    "store": ("postgresql://db/tables", "postgresql://db/tables"),
    "link": ("0.0.0.0:8267", "0.0.0.0:8267"),
    "proxy": ("127.0.0.1, 10.0.0.0/8", ("127.0.0.1", "10.0.0.0/8")),
    "imprint": ("imprint.md", "imprint.md"),
    "privacy": ("privacy.md", "privacy.md"),
    "log-level": ("error", "error"),
    "limits": ("home", PRESETS["home"]),
}


def sample(name: str, kind: Any) -> tuple[str, Any]:
    """Return a value of a setting as text, and as it is meant."""
    if name in OTHER:
        return OTHER[name]
    if kind is bool:
        return "true", True
    if kind is Rate:
        return "7/0.5", Rate(7, 0.5)
    if kind in (int, float):
        return "3", 3
    return "one, two", ("one", "two")


def flags(*arguments: str) -> dict[str, Any]:
    return vars(parser().parse_args(arguments))


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_can_be_given_in_three_ways(setting: Any, tmp_path: Path) -> None:
    text, meant = sample(setting.name, setting.type)
    if setting.type is bool:
        arguments = [setting.flag]
    elif setting.several:
        arguments = [part for item in meant for part in (setting.flag, item)]
    else:
        arguments = [setting.flag, text]
    file = tmp_path / "bullpen.toml"
    file.write_text(f'{setting.name} = "{text}"')
    for config in (
        config_from(flags(*arguments), {}),
        config_from({}, {setting.variable: text}),
        config_from(flags("--config", str(file)), {}),
    ):
        assert getattr(config, setting.field) == meant
    assert getattr(config_from({}, {}), setting.field) == getattr(Config(), setting.field)


@pytest.mark.parametrize("limit", LIMITS, ids=lambda limit: limit.name)
def test_every_limit_can_be_given_in_the_file_and_changes_no_other(limit: Any, tmp_path: Path) -> None:
    text, meant = sample(limit.name, limit.type)
    file = tmp_path / "bullpen.toml"
    for name in (limit.name, limit.field):
        file.write_text(f'limits = "home"\n[limit]\n{name} = "{text}"')
        limits = config_from(flags("--config", str(file)), {}).limits
        assert limits == msgspec.structs.replace(PRESETS["home"], **{limit.field: meant})


def test_at_home_all_rates_are_ten_times_as_large_and_nothing_else_is() -> None:
    for name in Limits.__struct_fields__:
        one, other = (getattr(PRESETS[preset], name) for preset in ("public", "home"))
        if isinstance(one, Rate):
            one = Rate(10 * one.burst, 10 * one.per_second)
        assert other == one, name
    assert Config().limits == Limits() == PRESETS["public"]


def test_help_has_a_word_for_everything_and_lists_no_limits() -> None:
    described = parser()._actions
    assert all(action.help for action in described)
    assert len(described) < 2 * len(SETTINGS)
    assert [action.dest for action in described if "limit" in action.dest] == ["limits"]


def test_a_flag_outweighs_the_environment_and_that_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bullpen.toml"
    file.write_text("port = 1\nbot-workers = 1\nbot-seconds = 1.5\n")
    environment = {"BULLPEN_CONFIG": str(file), "BULLPEN_PORT": "2", "BULLPEN_BOT_WORKERS": "2"}
    config = config_from(flags("--port", "3"), environment)
    assert (config.port, config.bot_workers, config.bot_seconds) == (3, 2, 1.5)


def test_a_file_may_hold_real_lists_and_numbers(tmp_path: Path) -> None:
    file = tmp_path / "bullpen.toml"
    file.write_text('host-name = ["a.example"]\n[limit]\ntables = {burst = 1, per_second = 2}\n')
    config = config_from(flags("--config", str(file)), {})
    assert config == Config(host_names=("a.example",), limits=Limits(tables=Rate(1, 2)))


@pytest.mark.parametrize(
    ("given", "environment", "file", "says"),
    [
        (["--port", "many"], {}, "", "--port should be a whole number, not 'many'."),
        ([], {"BULLPEN_BOT_WORKERS": "-1"}, "", "BULLPEN_BOT_WORKERS should be at least 0, not '-1'."),
        ([], {}, "[limit]\ntables = '20'", "[limit] tables should be like 20/0.2, not '20'."),
        ([], {}, "[limit]\ntables = '1/0'", "[limit] tables should be like 20/0.2, not '1/0'."),
        ([], {}, "[limit]\ntables = '-1/1'", "[limit] tables should be like 20/0.2, not '-1/1'."),
        ([], {}, "[limit]\nflood = 0", "[limit] flood should be at least 1, not 0."),
        ([], {}, "[limit]\ntable = '20'", "there is no limit 'table'; did you mean tables?"),
        (["--limits", "none"], {}, "", "--limits cannot be 'none'; it can be public, home"),
        ([], {}, "ports = 1", "there is no setting 'ports'; did you mean port?"),
        ([], {}, "port = ", "is not a TOML file"),
        ([], {}, "limit = 1", "[limit] is a section."),
        ([], {"BULLPEN_PROXI": "127.0.0.1"}, "", "no setting BULLPEN_PROXI; did you mean BULLPEN_PROXY?"),
        ([], {"BULLPEN_LIMIT_TABLES": "1/1"}, "", "There is no setting BULLPEN_LIMIT_TABLES"),
        ([], {"BULLPEN_NONSENSE": ""}, "", "There is no setting BULLPEN_NONSENSE."),
        (["--proxy", "nonsense"], {}, "", "--proxy: 'nonsense' is no address of numbers"),
        ([], {"BULLPEN_PROXY": "127.0.0.1, 10.0.0"}, "", "BULLPEN_PROXY: '10.0.0' is no address"),
        (["--proxy", "172.16.0.1/12"], {}, "", "is no network; did you mean 172.16.0.0/12?"),
        (["--host-name", "https://play.example.org:8443/"], {}, "", "did you mean play.example.org?"),
        (["--bot-seconds", "long"], {}, "", "--bot-seconds should be a number, not 'long'."),
        (["--config", "/no/such/file"], {}, "", "/no/such/file: No such file or directory."),
        (
            ["--log-level", "loud"],
            {},
            "",
            "--log-level cannot be 'loud'; it can be debug, info,",
        ),
    ],
)
def test_a_bad_setting_is_one_sentence(
    given: list[str], environment: dict[str, str], file: str, says: str, tmp_path: Path
) -> None:
    if file:
        (tmp_path / "bullpen.toml").write_text(file)
        environment = {**environment, "BULLPEN_CONFIG": str(tmp_path / "bullpen.toml")}
    with pytest.raises(BadSetting) as refused:
        config_from(flags(*given), environment)
    assert says in str(refused.value)


def test_a_server_of_the_tests_starts_under_every_variable_of_the_tests() -> None:
    read = re.compile(r"(?:environ\.get\(\"|export |^\t)(BULLPEN_[A-Z_]+)", re.MULTILINE)
    files = [ROOT / "Makefile", ROOT / ".ci" / "run", *(ROOT / "tests").rglob("*.py")]
    names = {name for file in files for name in read.findall(file.read_text(encoding="utf-8"))}
    assert {"BULLPEN_ENGINES", "BULLPEN_SOAK", "BULLPEN_TEST_STORE"} <= names
    assert config_from(flags(), dict.fromkeys(names, "1")) == Config()


def test_every_setting_of_the_server_is_described_and_documented() -> None:
    page = HOSTING.read_text(encoding="utf-8")
    for setting in SETTINGS:
        assert setting.says, setting.name
        assert f"`{setting.flag}`" in page, setting.flag
