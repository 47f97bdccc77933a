"""What is said of a server that cannot be used; never the password."""

from __future__ import annotations

import contextlib
import datetime
import socket
import ssl
import tempfile
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address
from pathlib import Path

import pytest
from benchmarks.distributed.real_server import running_server
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from pytest import MonkeyPatch
from redis import Redis
from redis.exceptions import NoPermissionError

from frontier.frontier_contract import seen
from scenthound.core.errors import SettingsError
from scenthound.frontier.redis.crawls import crawl_names
from scenthound.frontier.redis.frontier import RedisFrontier
from scenthound.frontier.redis.server import describe_server_error, open_server, without_password

SECRET = "hunter2-Zx9"


@pytest.fixture(scope="module")
def guarded() -> Iterator[str]:
    """A server with a password, and users who may run no scripts, nothing, or use other keys."""
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), ["--maxmemory", "100mb"]) as url,
    ):
        with Redis.from_url(url) as client:
            client.acl_setuser("reader", enabled=True, passwords=[f"+{SECRET}"], keys=["*"],
                               commands=["+@all", "-eval", "-evalsha", "-script"])  # fmt: skip
            client.acl_setuser("mute", enabled=True, passwords=[f"+{SECRET}"],
                               commands=["-@all"])  # fmt: skip
            client.acl_setuser("other", enabled=True, passwords=[f"+{SECRET}"], keys=["other:*"],
                               commands=["+@all"])  # fmt: skip
            client.config_set("requirepass", SECRET)
        yield url.removeprefix("unix://")


def refusal(url: str) -> str:
    with pytest.raises(SettingsError) as caught:
        open_server(url, tries=0)
    reported = "".join(traceback.format_exception(caught.value))
    assert SECRET not in reported.replace(f'"{url}"', "")
    return str(caught.value)


def test_no_server_or_no_address(tmp_path: Path, server_url: str, monkeypatch: MonkeyPatch) -> None:
    assert "there is no Redis server at unix:///" in refusal(f"unix://{tmp_path}/none")
    assert refusal(f"redis://:{SECRET}@127.0.0.1:1/0") == (
        "there is no Redis server at redis://127.0.0.1:1/0; start one, or give its address."
    )
    urls = [f"http://u:{SECRET}@host", f"redis://u:{SECRET}@host:many", SECRET, "redis://[::1"]
    for url in urls:
        assert "is no address of a Redis server" in refusal(url)
    assert "has an unknown option" in refusal(f"{server_url}?no_such_option=1")
    monkeypatch.setattr("scenthound.frontier.redis.server.SECONDS_AT_FIRST", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        reported = refusal(f"redis://:{SECRET}@127.0.0.1:{silent.getsockname()[1]}")
    assert "does not answer as a Redis server does" in reported


def test_a_password_is_asked_for_with_it_the_server_works_but_may_not_forget(guarded: str) -> None:
    assert "does not let us in" in refusal(f"unix://{guarded}")
    assert "does not let us in" in refusal(f"unix://:wrong@{guarded}")
    assert "does not let us in" in refusal(f"unix://nobody:{SECRET}@{guarded}")
    for user in ("reader", "mute", "other"):
        reported = refusal(f"unix://{user}:{SECRET}@{guarded}")
        assert "does not let this user work" in reported and "keys ~scenthound:*" in reported
    url = f"unix://:{SECRET}@{guarded}"
    with Redis.from_url(url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert "set maxmemory-policy to noeviction" in refusal(url)
        client.config_set("maxmemory-policy", "noeviction")
    client = open_server(url)
    frontier = RedisFrontier(client, "guarded")
    frontier.add([seen("http://a/1", 0.5)])
    assert len(frontier) == 1
    assert SECRET not in repr(client) + repr(frontier) + str(vars(frontier))
    client.close()


def test_urls_and_errors_are_shown_without_who_comes_in() -> None:
    assert (
        without_password(f"rediss://me:{SECRET}@example.org:6380/2")
        == "rediss://example.org:6380/2"
    )
    for bare in (f"redis://:{SECRET}@[::1/x", f"redis://:12/{SECRET}@host", f":{SECRET}@host/0"):
        assert without_password(bare) == "the given URL"
    reported = describe_server_error(
        NoPermissionError("NOPERM no permission to run 'hset' redis://me:secret@h")
    )
    assert reported == (
        "error: the server did not answer as it should "
        "(NoPermissionError: NOPERM no permission to run 'hset' redis:)"
    )
    assert describe_server_error(KeyError("a")) == "error: KeyError: 'a'"


def test_a_node_of_a_cluster_behind_a_socket() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder), ["--cluster-enabled", "yes"]) as url,
    ):
        assert "belongs to a cluster, whose nodes are found by the network" in refusal(url)


def test_a_server_that_takes_no_writes_is_waited_for() -> None:
    with (
        tempfile.TemporaryDirectory(prefix="v") as folder,
        running_server(Path(folder)) as url,
        Redis.from_url(url) as admin,
        open_server(url) as client,
    ):
        frontier = RedisFrontier(client, "crawl")
        admin.replicaof("127.0.0.1", "1")  # a replica has taken over from it
        timer = threading.Timer(0.5, lambda: admin.replicaof("no", "one"))
        timer.start()
        frontier.add([seen("http://a/1", 0.5), seen("http://b/1", 0.4)])
        assert len(frontier.lease(2, 0.0)) == 2
        timer.join()


# An encrypted connection: whom to trust, and what is said where there is none.


HOST = "127.0.0.1"


@contextmanager
def behind_tls(unix_socket: str, folder: Path) -> Iterator[tuple[int, Path]]:
    """The port of a server that speaks TLS and passes all on to the socket, and its certificate."""
    certificate, key = _certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server((HOST, 0)) as listening:
        threading.Thread(target=_serve, args=(listening, context, unix_socket), daemon=True).start()
        yield listening.getsockname()[1], certificate
        listening.shutdown(socket.SHUT_RDWR)


def _certificate(folder: Path) -> tuple[Path, Path]:
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(IPv4Address(HOST))]), False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
        .sign(private, hashes.SHA256())
    )
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    pem = serialization.Encoding.PEM
    certificate.write_bytes(made.public_bytes(pem))
    key.write_bytes(
        private.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return certificate, key


def _serve(listening: socket.socket, context: ssl.SSLContext, unix_socket: str) -> None:
    with contextlib.suppress(OSError):  # no longer listening
        while True:
            plain, _ = listening.accept()
            threading.Thread(
                target=_pass_on, args=(plain, context, unix_socket), daemon=True
            ).start()


def _pass_on(plain: socket.socket, context: ssl.SSLContext, unix_socket: str) -> None:
    with (
        contextlib.suppress(OSError),  # a client that does not trust us hangs up
        context.wrap_socket(plain, server_side=True) as outside,
        socket.socket(socket.AF_UNIX) as inside,
    ):
        inside.connect(unix_socket)
        answers = threading.Thread(target=_pump, args=(inside, outside), daemon=True)
        answers.start()
        _pump(outside, inside)
        inside.shutdown(socket.SHUT_RDWR)
        answers.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while some := source.recv(65_536):
            target.sendall(some)


def test_a_certificate_that_is_trusted(server_url: str, server: Redis, tmp_path: Path) -> None:
    unix_socket = server_url.removeprefix("unix://")
    with behind_tls(unix_socket, tmp_path) as (port, certificate):
        url = f"rediss://127.0.0.1:{port}"
        with open_server(f"{url}?ssl_ca_certs={certificate}", tries=0) as client:
            assert len(RedisFrontier(client, "crawl")) == 0
            assert crawl_names(client) == []
        with pytest.raises(SettingsError, match="check the certificate"):
            open_server(url, tries=0)
