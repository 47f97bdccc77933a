"""A server behind TLS, with a certificate of its own: what speaks TLS here passes it on."""

from __future__ import annotations

import contextlib
import datetime
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

HOST = "127.0.0.1"


@contextmanager
def behind_tls(unix_socket: str, folder: Path) -> Iterator[tuple[int, Path]]:
    """The port of one that passes everything on to the socket, and the certificate to trust."""
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
