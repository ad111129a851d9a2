"""Signs what schemathesis sends to a sandbox; see "OpenAPI" in packages/sandbox/src/README.md."""

import hashlib
import hmac
import json
import re
import time

import schemathesis
from requests.auth import AuthBase
from schemathesis.core.parameters import ParameterLocation

KEY = "sandbox-key"
SECRET = b"sandbox-secret"
ACCOUNT = "0x5a4db0c500000000000000000000000000000001"
UNSIGNED = "Unsigned"


@schemathesis.hook
def before_call(context, case, kwargs):
    """Makes valid data what a client writes, and leaves alone what is wrong on purpose."""
    meta = case.meta
    if meta is None or meta.generation.mode.is_positive:
        case.body = plain(case.body)
    elif meta.is_negative_at(ParameterLocation.HEADER):
        case.headers[UNSIGNED] = "yes"


def plain(value):
    """To JSON Schema 5.0 is an integer, to the service it is not. Amounts have 40 digits at most."""
    if isinstance(value, dict):
        return {name: plain(field) for name, field in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return int(value) if value.is_integer() else round(value, 40)
    return value


def fresh(body: bytes) -> bytes:
    """The body with the time of now and the account of the key, where it has valid ones."""
    try:
        fields = json.loads(body)
    except ValueError:
        return body
    if not isinstance(fields, dict):
        return body
    timestamp = fields.get("timestamp")
    if type(timestamp) is int and 0 <= timestamp < 10**15:
        fields["timestamp"] = time.time_ns() // 1_000_000
    if re.fullmatch("0x[0-9a-fA-F]{40}", str(fields.get("account"))):
        fields["account"] = ACCOUNT
    return json.dumps(fields).encode()


class Signature(AuthBase):
    def __call__(self, request):
        if request.headers.pop(UNSIGNED, None):
            return request
        body = request.body or b""
        body = fresh(body if isinstance(body, bytes) else body.encode())
        request.prepare_body(body, None)
        request.headers["Key"] = KEY
        request.headers["Sign"] = hmac.new(SECRET, body, hashlib.sha512).hexdigest()
        return request


schemathesis.auth.set_from_requests(Signature())
