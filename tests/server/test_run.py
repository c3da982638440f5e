"""Starting the server from the command line."""

import pytest

from bullpen.server import run
from bullpen.server.__main__ import config_from, parser
from bullpen.server.config import Config, data_folder


def test_the_settings_become_a_configuration(tmp_path: object) -> None:
    given = ["--host", "0.0.0.0", "--port", "9000", "--store", str(tmp_path), "--origin", "https://a.example"]
    config = config_from(parser().parse_args(given))
    assert (config.host, config.port, str(config.store_path)) == ("0.0.0.0", 9000, str(tmp_path))
    assert config.origins == ("https://a.example",)


def test_the_store_is_in_the_users_data_folder_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/somewhere")
    assert Config().store_path == data_folder() / "tables.sqlite3"
    assert str(data_folder()) == "/somewhere/bullpen"


def test_the_greeting_shows_a_code_for_phones(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setattr(run, "address", lambda: "192.0.2.7")
    run.greet(Config(host="0.0.0.0"), 8266)
    said = capsys.readouterr().out
    assert "http://localhost:8266/" in said
    assert "http://192.0.2.7:8266/" in said
    assert "█" in said


def test_a_port_in_use_is_one_sentence(tmp_path: object) -> None:
    with run.listen(Config(port=0)) as taken:
        taken.listen()
        with pytest.raises(run.CannotServe, match=r"Port \d+ at 127\.0\.0\.1 cannot be used"):
            run.serve(Config(port=taken.getsockname()[1], store=tmp_path / "s.sqlite3"))  # type: ignore[operator]
