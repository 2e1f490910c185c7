"""A server that speaks like Google's storage, at the port that is given: Google's XML API is that of S3 but for the header by which an
object is written only where there is none, and for how callers say who they are."""

import sys

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

s3 = DomainDispatcherApplication(create_backend_app)
SOMEBODY = "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0"


def google(environ, respond):
    environ["HTTP_AUTHORIZATION"] = SOMEBODY
    if environ.pop("HTTP_X_GOOG_IF_GENERATION_MATCH", None) == "0":
        environ["HTTP_IF_NONE_MATCH"] = "*"
    return s3(environ, respond)


run_simple("127.0.0.1", int(sys.argv[1]), google, threaded=True)
