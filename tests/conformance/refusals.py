"""What the server says when it refuses a request."""

import grpc

from google.rpc import error_details_pb2
from google.rpc import status_pb2


def refusal_of(call):
    """(code, reason of the ErrorInfo, fields of the BadRequest) of a call that
    must fail; None if it succeeds.
    """
    try:
        call()
    except grpc.RpcError as error:
        details = _details_of(error)
        info = error_details_pb2.ErrorInfo()
        bad_request = error_details_pb2.BadRequest()
        for detail in details:
            # Unpack() leaves the message alone when it is of another type.
            detail.Unpack(info)
            detail.Unpack(bad_request)
        fields = [violation.field for violation in bad_request.field_violations]
        return error.code(), info.reason, fields
    return None


def _details_of(error):
    for key, value in error.trailing_metadata():
        if key == "grpc-status-details-bin":
            return status_pb2.Status.FromString(value).details
    return []
