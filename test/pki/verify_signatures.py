"""Verifies the signatures of PDFs with pyHanko: verify_signatures.py [--dss] <root.pem> <file>... Prints a list of files, each a list of what it says of every signature.

Nothing is fetched. With --dss everything that proves that no certificate was revoked must be in the document security store.
"""
import json
import sys

from pyhanko.keys import load_cert_from_pemder
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import validate_pdf_signature, validate_pdf_timestamp
from pyhanko.sign.validation.dss import DocumentSecurityStore
from pyhanko_certvalidator import ValidationContext


def context(reader, root, store):
    options = {"trust_roots": [root], "allow_fetching": False}
    if store:
        return DocumentSecurityStore.read_dss(reader).as_validation_context({**options, "revocation_mode": "require"})
    return ValidationContext(**options)


def verdicts(path, root, store):
    with open(path, "rb") as file:
        reader = PdfFileReader(file, strict=False)
        if reader.encrypted:
            reader.decrypt("")
        found = []
        for signature in reader.embedded_signatures:
            stamp = signature.sig_object_type == "/DocTimeStamp"
            try:
                status = (validate_pdf_timestamp if stamp else validate_pdf_signature)(signature, context(reader, root, store))
                good = status.intact and status.valid and status.trusted if stamp else status.bottom_line
                found.append({"field": signature.field_name, "kind": "stamp" if stamp else "signature", "good": good, "summary": status.summary()})
            except Exception as error:  # pylint: disable=broad-except
                found.append({"field": signature.field_name, "kind": "error", "good": False, "summary": f"{type(error).__name__}: {error}"})
        return found


if __name__ == "__main__":
    dss = sys.argv[1] == "--dss"
    anchor, *paths = sys.argv[2 if dss else 1:]
    print(json.dumps([verdicts(path, load_cert_from_pemder(anchor), dss) for path in paths]))
