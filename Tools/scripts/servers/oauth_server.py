"""An authorization server of Authlib and Flask on a port of 127.0.0.1, with an API that its tokens open.

    oauth_server.py PORT

Everything belongs to a realm, the first segment of the path, so that tests that run at the same time share nothing:
`POST /REALM/token`, `/REALM/device` and `/REALM/revoke` are those of RFC 6749, 8628 and 7009. `GET /REALM/me` needs an
access token. A test arranges and asks with `POST /REALM/grant` and `GET /REALM/requests`.
"""
import sys
import threading
import time
from dataclasses import dataclass, field

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6750 import BearerTokenGenerator, BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7523 import JWTBearerGrant
from authlib.oauth2.rfc8628 import (
    DEVICE_CODE_GRANT_TYPE,
    DeviceAuthorizationEndpoint,
    DeviceCodeGrant,
    DeviceCredentialDict,
)
from authlib.common.security import generate_token
from flask import Flask, g, jsonify, request
from joserfc.jwk import OctKey
from werkzeug.serving import WSGIRequestHandler, make_server

JWT = JWTBearerGrant.GRANT_TYPE
#: Seconds.
LIFETIME = 3600
#: What the issuer of assertions signs them with.
ASSERTION_KEY = "a key of at least thirty-two bytes, for HMAC"
USER = "ada"


@dataclass
class Client(ClientMixin):
    name: str
    secret: str | None
    grants: set[str]
    #: How it must send its secret.
    method: str = "client_secret_basic"

    def get_client_id(self) -> str:
        return self.name

    def get_default_redirect_uri(self) -> str:
        return ""

    def get_allowed_scope(self, scope: str) -> str:
        return scope or ""

    def check_redirect_uri(self, redirect_uri: str) -> bool:
        return False

    def check_client_secret(self, client_secret: str) -> bool:
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method: str, endpoint: str) -> bool:
        return method == ("none" if self.secret is None else self.method)

    def check_response_type(self, response_type: str) -> bool:
        return False

    def check_grant_type(self, grant_type: str) -> bool:
        return grant_type in self.grants


@dataclass
class Token(TokenMixin):
    client: str
    user: str
    scope: str
    access: str
    refresh: str | None
    expires: float
    #: Whether the access token is no longer valid.
    revoked: bool = False
    #: Whether the refresh token isn't.
    is_used: bool = False

    def check_client(self, client: Client) -> bool:
        return client.name == self.client

    def get_scope(self) -> str:
        return self.scope

    def get_expires_in(self) -> int:
        return LIFETIME

    def is_expired(self) -> bool:
        return time.time() > self.expires

    def is_revoked(self) -> bool:
        return self.revoked

    def get_user(self) -> str:
        return self.user

    def get_client(self) -> Client:
        return CLIENTS[self.client]


# A secret with signs that RFC 6749, section 2.3.1, has encoded as in a form. Authlib takes a plus for itself, and none has a
# space.
CLIENTS = {
    client.name: client
    for client in [
        Client("reports", "s3cret:100%+ü", {"client_credentials"}),
        Client("form", "f0rm:100%+&=ü", {"client_credentials"}, "client_secret_post"),
        Client("app", None, {"refresh_token", DEVICE_CODE_GRANT_TYPE}),
        Client("robot", "robot-secret", {JWT}),
    ]
}


@dataclass
class Realm:
    """What a test shares with no other."""

    tokens: list[Token] = field(default_factory=list)
    devices: dict[str, DeviceCredentialDict] = field(default_factory=dict)
    #: What the polls of a device are answered with, before its user's decision counts.
    answers: list[str] = field(default_factory=list)
    is_approved: bool = True
    #: The form of each request of a token, without its secrets, and how it was answered.
    requests: list[dict] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)


realms: dict[str, Realm] = {}
guard = threading.Lock()
application = Flask(__name__)
application.config["OAUTH2_SCOPES_SUPPORTED"] = ["read", "write"]
server = AuthorizationServer()


def save_token(token: dict, oauth) -> None:
    g.realm.tokens.append(
        Token(
            oauth.client.name,
            oauth.user or oauth.client.name,
            token.get("scope", ""),
            token["access_token"],
            token.get("refresh_token"),
            time.time() + token["expires_in"],
        )
    )


class ClientCredentialsGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class RefreshTokenGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token: str) -> Token | None:
        found = next((token for token in g.realm.tokens if token.refresh == refresh_token), None)
        if found and found.is_used:
            # Somebody has a copy (RFC 9700, section 4.14.2): no token of the family is valid any more.
            for token in g.realm.tokens:
                token.revoked = token.is_used = True
        return None if found is None or found.is_used else found

    def authenticate_user(self, refresh_token: Token) -> str:
        return refresh_token.user

    def revoke_old_credential(self, refresh_token: Token) -> None:
        refresh_token.is_used = True


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def get_verification_uri(self) -> str:
        return f"{request.host_url}device"

    def save_device_credential(self, client_id: str, scope: str, data: dict) -> None:
        credential = {"client_id": client_id, "scope": scope, "expires_at": time.time() + data["expires_in"], **data}
        g.realm.devices[data["device_code"]] = DeviceCredentialDict(credential)


class DeviceGrant(DeviceCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none"]

    def query_device_credential(self, device_code: str) -> DeviceCredentialDict | None:
        credential = g.realm.devices.get(device_code)
        g.answer = g.realm.answers.pop(0) if g.realm.answers else "decision"
        if credential and g.answer == "expired":
            credential["expires_at"] = 1
        return credential

    def query_user_grant(self, user_code: str) -> tuple[str, bool] | None:
        return (USER, g.realm.is_approved) if g.answer == "decision" else None

    def should_slow_down(self, credential: DeviceCredentialDict) -> bool:
        return g.answer == "slow_down"


class AssertionGrant(JWTBearerGrant):
    def get_audiences(self) -> list[str]:
        return [request.base_url]

    def resolve_issuer_client(self, issuer: str) -> Client | None:
        return CLIENTS.get(issuer)

    def resolve_client_public_key(self, client: Client) -> OctKey:
        return OctKey.import_key(ASSERTION_KEY)

    def authenticate_user(self, subject: str) -> str | None:
        return subject if subject == USER else None

    def has_granted_permission(self, client: Client, user: str) -> bool:
        return True


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none"]

    def query_token(self, token_string: str, token_type_hint: str | None) -> Token | None:
        return next((token for token in g.realm.tokens if token_string in (token.access, token.refresh)), None)

    def revoke_token(self, token: Token, oauth) -> None:
        if oauth.form["token"] == token.refresh:
            token.is_used = True
        token.revoked = True


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string: str) -> Token | None:
        return next((token for token in g.realm.tokens if token.access == token_string), None)


protector = ResourceProtector()
protector.register_token_validator(Validator())


@application.url_value_preprocessor
def enter(_: str | None, values: dict | None) -> None:
    with guard:
        g.realm = realms.setdefault((values or {}).pop("realm", ""), Realm())
    # One request of a realm at a time.
    g.realm.lock.acquire()


@application.teardown_request
def leave(_: BaseException | None) -> None:
    if "realm" in g:
        g.realm.lock.release()


@application.post("/<realm>/token")
def token():
    answer = server.create_token_response()
    body = answer.get_json(force=True)
    g.realm.requests.append(
        {
            "grant": request.form.get("grant_type"),
            "scope": request.form.get("scope"),
            "client": request.form.get("client_id") or (request.authorization and request.authorization.username),
            "error": body.get("error"),
        }
    )
    return answer


@application.post("/<realm>/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@application.post("/<realm>/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@application.get("/<realm>/me")
@protector()
def me():
    return jsonify(user=current_token.user, scope=current_token.scope)


@application.post("/<realm>/grant")
def grant():
    """A user signs in on the page of the program, or will answer a device's request."""
    order = request.get_json()
    g.realm.answers = order.get("answers", [])
    g.realm.is_approved = order.get("isApproved", True)
    if not order.get("signsIn"):
        return jsonify(refresh="")
    first = Token("app", USER, "read", generate_token(42), generate_token(48), time.time() + LIFETIME)
    g.realm.tokens.append(first)
    return jsonify(refresh=first.refresh)


@application.get("/<realm>/requests")
def requests():
    return jsonify(g.realm.requests)


def main() -> None:
    server.init_app(application, query_client=CLIENTS.get, save_token=save_token)
    server.register_token_generator(
        "default",
        BearerTokenGenerator(
            lambda **_: generate_token(42), lambda **_: generate_token(48), lambda client, grant_type: LIFETIME
        ),
    )
    for grant_type in (ClientCredentialsGrant, RefreshTokenGrant, DeviceGrant, AssertionGrant):
        server.register_grant(grant_type)
    server.register_endpoint(DeviceEndpoint)
    server.register_endpoint(Revocation)

    class Handler(WSGIRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_request(self, *_: object) -> None:
            pass

    make_server("127.0.0.1", int(sys.argv[1]), application, threaded=True, request_handler=Handler).serve_forever()


if __name__ == "__main__":
    main()
