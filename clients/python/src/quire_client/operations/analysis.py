# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from quire_client.answers import (
    CountAnnotationsAnswer,
    CountPagesAnswer,
    GetBasicInfoAnswer,
    GetDocumentPropertiesAnswer,
    GetFormInfoAnswer,
    GetPageDimensionsAnswer,
    GetSecurityInfoAnswer,
    ListFontsAnswer,
)
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, M, OperationBase, Source, as_method


class AnalysisOperations(OperationBase[F, M]):
    """Operations of the category analysis."""

    @as_method
    def count_annotations(self, file: Source, /) -> Call[CountAnnotationsAnswer]:
        """Count annotations by type.

        All annotations of all pages are counted, form widgets and pop-ups among them. Keys are names of the standard
        (`Link`, `Text`, `Widget`, `Highlight`); annotations that do not say what they are count as `Unknown`.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/annotation-info", [file], {}, {})

    @as_method
    def get_basic_info(self, file: Source, /) -> Call[GetBasicInfoAnswer]:
        """Report page count, version and size of a PDF.

        `pdfVersion` is a number: the version in the file header, or in the catalog if that is later. `fileSize` is the
        size of the upload in bytes.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/basic-info", [file], {}, {})

    @as_method
    def get_document_properties(self, file: Source, /) -> Call[GetDocumentPropertiesAnswer]:
        """Report title, author and dates of a PDF.

        The entries are those of the information dictionary; custom entries and XMP are not read (see
        `security/get-info-on-pdf`). All eight members are always present, null if missing. Dates are ISO 8601 with the
        zone in the file, `Z` without one.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/document-properties", [file], {}, {})

    @as_method
    def list_fonts(self, file: Source, /) -> Call[ListFontsAnswer]:
        """List the font resource names of a PDF.

        Names are resource names (`F1`, `TT0`), not font families; the same name on two pages counts once. Inherited
        resources count; those of forms and annotations do not.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/font-info", [file], {}, {})

    @as_method
    def get_form_info(self, file: Source, /) -> Call[GetFormInfoAnswer]:
        """Report whether a PDF has a form, and its size.

        Only top-level fields are counted; a group counts once. `isSignaturesExist` is the flag of the form; signatures
        are not searched. Without a form: 0, false, false.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/form-fields", [file], {}, {})

    @as_method
    def count_pages(self, file: Source, /) -> Call[CountPagesAnswer]:
        """Count the pages of a PDF.

        Counts the pages in the page tree and ignores `/Count`. Only the page tree is read, which takes milliseconds for
        any file size.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/page-count", [file], {}, {})

    @as_method
    def get_page_dimensions(self, file: Source, /) -> Call[GetPageDimensionsAnswer]:
        """Report the size of every page.

        The size of the crop box within the media box, in page units: rotation and `UserUnit` are not applied. Numbers
        have single precision.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/page-dimensions", [file], {}, {})

    @as_method
    def get_security_info(self, file: Source, /) -> Call[GetSecurityInfoAnswer]:
        """Report encryption and permissions of a PDF.

        Flags are true for what is forbidden. Without encryption `isEncrypted` is the only member. A document that needs
        a password is refused.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("analysis/security-info", [file], {}, {})
