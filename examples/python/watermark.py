"""Puts a text watermark on a PDF: python3 examples/python/watermark.py in.pdf DRAFT (standard library only)."""

import json
import os
import sys
import urllib.error
import urllib.request
import uuid


def multipart(fields: dict[str, str], file_path: str) -> tuple[bytes, str]:
    """Returns the body and the content type of a form with text fields and one file, `fileInput` (RFC 7578)."""
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in fields.items()
    ]
    with open(file_path, "rb") as file:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="fileInput"; filename="in.pdf"\r\n'
        parts.append(head.encode() + b"Content-Type: application/pdf\r\n\r\n" + file.read() + b"\r\n")
    parts.append(f"--{boundary}--\r\n".encode())
    return b"".join(parts), f"multipart/form-data; boundary={boundary}"


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit("Usage: python3 examples/python/watermark.py in.pdf TEXT")
    body, content_type = multipart({"watermarkType": "text", "watermarkText": sys.argv[2]}, sys.argv[1])
    request = urllib.request.Request(
        os.environ.get("QUIRE_URL", "http://127.0.0.1:8080") + "/api/v1/security/add-watermark",
        data=body,
        headers={"Content-Type": content_type, "X-API-KEY": os.environ.get("QUIRE_API_KEY", "")},
    )
    try:
        with urllib.request.urlopen(request) as answer, open("watermarked.pdf", "wb") as target:
            target.write(answer.read())
    except urllib.error.HTTPError as error:
        problem = json.load(error)
        sys.exit(f"{error.code} {problem['code']}: {problem['detail']}")
    print("wrote watermarked.pdf")


main()
