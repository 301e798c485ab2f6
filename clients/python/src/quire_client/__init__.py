"""Client for Quire, the self-hosted PDF and document processing server.

``Quire`` blocks, ``AsyncQuire`` is for asyncio; both have every operation of the server as a method.
The guide with recipes is docs/guides/clients/python.md in the server's repository.
"""

from quire_client.async_client import AsyncQuire
from quire_client.async_jobs import AsyncJob, AsyncJobs
from quire_client.client import Quire
from quire_client.core.retry import Retry
from quire_client.core.states import JobState, ResultFile
from quire_client.document import Document, Notices
from quire_client.errors import (
    AccessDeniedError,
    AllowanceError,
    ApiError,
    AuthenticationError,
    ConfigurationError,
    ConflictError,
    ConnectionFailedError,
    Fault,
    InvalidRequestError,
    JobCancelledError,
    JobTimeoutError,
    NotFoundError,
    QuireError,
    RateLimitError,
    ServerError,
    UnavailableError,
    WebhookError,
)
from quire_client.jobs import Job, Jobs
from quire_client.pipeline import Pipeline, PipelineReport
from quire_client.sources import FileId, Source
from quire_client.version import __version__
from quire_client.webhooks import WebhookEvent, verify_webhook

__all__ = [
    "AccessDeniedError",
    "AllowanceError",
    "ApiError",
    "AsyncJob",
    "AsyncJobs",
    "AsyncQuire",
    "AuthenticationError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionFailedError",
    "Document",
    "Fault",
    "FileId",
    "InvalidRequestError",
    "Job",
    "JobCancelledError",
    "JobState",
    "JobTimeoutError",
    "Jobs",
    "NotFoundError",
    "Notices",
    "Pipeline",
    "PipelineReport",
    "Quire",
    "QuireError",
    "RateLimitError",
    "ResultFile",
    "Retry",
    "ServerError",
    "Source",
    "UnavailableError",
    "WebhookError",
    "WebhookEvent",
    "__version__",
    "verify_webhook",
]
