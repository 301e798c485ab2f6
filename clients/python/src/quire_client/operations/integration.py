# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from typing import Literal

from quire_client.operation_base import F, Json, M, OperationBase, Source, json_text


class IntegrationOperations(OperationBase[F, M]):
    """Operations of the category integration."""

    def call_external_api(
        self,
        file: Source,
        /,
        *,
        connection_id: int,
        path: str | None = None,
        method: Literal["POST", "PUT", "PATCH"] | None = None,
        body_mode: Literal["multipart", "json", "binary"] | None = None,
        file_field_name: str | None = None,
        response_mode: Literal["report", "replace"] | None = None,
        result_url_path: str | None = None,
        result_url_header: str | None = None,
        response_select: str | None = None,
        require_true: str | None = None,
        fields: Json | None = None,
        body_template: str | None = None,
        headers: Json | None = None,
        include_context: bool | None = None,
        include_file: bool | None = None,
    ) -> F:
        """Send a file to a saved API connection.

        In `report` mode the file is returned unchanged, and `X-Tool-Report` contains `status`, `contentType` and, for
        JSON, the `body` (`bodyTruncated`: the beginning of a long one as text; `bodyParseError`: the text of invalid
        JSON), otherwise `bodyBytes`. In `replace` mode the answer replaces the file: the answer itself, the content of
        the result URL in its header or JSON, or the file of a zip that `response_select` names.

        Placeholders in `path` (percent-encoded), `fields`, `headers` and `body_template`: `{{document.filename}}`, and
        of `document` also safeFilename, extension, contentType, resolvedContentType, sizeBytes, sha256, base64,
        pageCount, encrypted, title, author, subject, keywords, creator, producer, created, modified;
        `{{classification.…}}`; labelId, name, siteId, method, protected of `sensitivityLabel`; policyName, runId,
        timestamp of `run`. What a document does not say is empty; a name that is not known is refused. With
        `body_template`, `fields` and `body_mode` have no effect.

        Redirects are not followed, and an answer has at most 64 MiB. A service that cannot be reached, is too slow, or
        answers anything else than success or something of no use is 502 or 504. Loopback and private addresses are
        called only with `policies.allowPrivateApiEndpoints`, metadata services of clouds never.

        Args:
            file: The document.
            connection_id: Number of an API connection. From 1.
            path: Path below the connection's address; may carry a query.
            method: Method of the call. Default: "POST".
            body_mode: How the file is sent: as a form, in base64 within JSON, or as the body itself. Default:
                "multipart".
            file_field_name: Name of the file in the form (multipart). Default: "file".
            response_mode: How the answer is used. Default: "report".
            result_url_path: Place of the result URL in the JSON answer.
            result_url_header: Header of the answer that holds the result URL; wins over result_url_path.
            response_select: Which file of an answered zip is the result: a pattern (*.pdf), or its place from 0 on.
            require_true: Place in the JSON answer where true must stand.
            fields: JSON object of further form fields or JSON members. Sent as JSON. Default: {}.
            body_template: JSON with placeholders that is the whole body.
            headers: JSON object of further headers. Sent as JSON. Default: {}.
            include_context: Sends what is known of the document along. Default: False.
            include_file: Sends the file. Default: True.

        Returns:
            The document.
        """
        return self._file(
            "integration/external-api-call",
            [file],
            {
                "connectionId": connection_id,
                "path": path,
                "method": method,
                "bodyMode": body_mode,
                "fileFieldName": file_field_name,
                "responseMode": response_mode,
                "resultUrlPath": result_url_path,
                "resultUrlHeader": result_url_header,
                "responseSelect": response_select,
                "requireTrue": require_true,
                "fields": json_text(fields),
                "bodyTemplate": body_template,
                "headers": json_text(headers),
                "includeContext": include_context,
                "includeFile": include_file,
            },
            {},
        )

    def apply_purview_label(
        self,
        file: Source,
        /,
        *,
        connection_id: int,
        label_id: str,
        label_name: str | None = None,
        method: Literal["STANDARD", "PRIVILEGED"] | None = None,
        content_bits: int | None = None,
    ) -> F:
        """Write a Purview sensitivity label into a PDF.

        Writes the properties `MSIP_Label_<label_id>_…` into the information dictionary, with the tenant of the
        connection. Another label of the same tenant is replaced, those of other tenants stay. Nothing is asked of
        Microsoft, and nothing is encrypted.

        Args:
            file: The document (.pdf).
            connection_id: Number of a PURVIEW connection. From 1.
            label_id: GUID of the label.
            label_name: Name of the label.
            method: STANDARD: by default or automatically; PRIVILEGED: chosen by a person. Default: "STANDARD".
            content_bits: Content marking, as a sum: 1 header, 2 footer, 4 watermark, 8 encryption. From 0 to 15.
                Default: 0.

        Returns:
            The document (pdf).
        """
        return self._file(
            "integration/purview-apply-label",
            [file],
            {
                "connectionId": connection_id,
                "labelId": label_id,
                "labelName": label_name,
                "method": method,
                "contentBits": content_bits,
            },
            {},
        )

    def read_purview_label(self, file: Source, /, *, connection_id: int) -> F:
        """Report the Purview sensitivity labels of a PDF.

        The file is answered as it came. `X-Tool-Report` holds `labelled`, and of a label of the tenant of the
        connection `labelId`, `labelName`, `method`, `setDate`, `contentBits` and `protected`; `otherTenantLabels` lists
        those of others.

        Args:
            file: The document (.pdf).
            connection_id: Number of a PURVIEW connection. From 1.

        Returns:
            The document.
        """
        return self._file("integration/purview-read-label", [file], {"connectionId": connection_id}, {})
