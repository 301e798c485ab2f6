# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers, by operation."""

from quire_client.answers.ai import (
    AuditArithmeticAnswer,
    AuditArithmeticDiscrepancy,
)
from quire_client.answers.analysis import (
    CountAnnotationsAnswer,
    CountPagesAnswer,
    GetBasicInfoAnswer,
    GetDocumentPropertiesAnswer,
    GetFormInfoAnswer,
    GetPageDimension,
    GetPageDimensionsAnswer,
    GetSecurityInfoAnswer,
    GetSecurityInfoPermissions,
    ListFontsAnswer,
)
from quire_client.answers.docparse import (
    ChunkDocumentAnswer,
    ChunkDocumentChunk,
    ExtractFieldsAsJsonAnswer,
    ExtractFieldsAsJsonField,
    SuggestSchemaAnswer,
    SuggestSchemaField,
)
from quire_client.answers.form import (
    ListFormFieldsAnswer,
    ListFormFieldsField,
    LocateFormField,
    LocateFormFieldsAnswer,
    LocateFormFieldsChoice,
    LocateFormFieldsWidget,
)
from quire_client.answers.general import (
    ExtractBookmark,
    ExtractBookmarksAnswer,
    ExtractPageLabel,
    ExtractPageLabelsAnswer,
)
from quire_client.answers.misc import (
    ListAttachment,
    ListAttachmentsAnswer,
    ListComment,
    ListCommentsAnswer,
)
from quire_client.answers.security import (
    PreviewRedactionAnswer,
    PreviewRedactionMatch,
    ValidateSignature,
    ValidateSignaturesAnswer,
    ValidateSignaturesKeyUsage,
    VerifyPdfAnswer,
    VerifyPdfFailure,
    VerifyPdfItem,
    VerifyPdfWarning,
)

__all__ = [
    "AuditArithmeticAnswer",
    "AuditArithmeticDiscrepancy",
    "ChunkDocumentAnswer",
    "ChunkDocumentChunk",
    "CountAnnotationsAnswer",
    "CountPagesAnswer",
    "ExtractBookmark",
    "ExtractBookmarksAnswer",
    "ExtractFieldsAsJsonAnswer",
    "ExtractFieldsAsJsonField",
    "ExtractPageLabel",
    "ExtractPageLabelsAnswer",
    "GetBasicInfoAnswer",
    "GetDocumentPropertiesAnswer",
    "GetFormInfoAnswer",
    "GetPageDimension",
    "GetPageDimensionsAnswer",
    "GetSecurityInfoAnswer",
    "GetSecurityInfoPermissions",
    "ListAttachment",
    "ListAttachmentsAnswer",
    "ListComment",
    "ListCommentsAnswer",
    "ListFontsAnswer",
    "ListFormFieldsAnswer",
    "ListFormFieldsField",
    "LocateFormField",
    "LocateFormFieldsAnswer",
    "LocateFormFieldsChoice",
    "LocateFormFieldsWidget",
    "PreviewRedactionAnswer",
    "PreviewRedactionMatch",
    "SuggestSchemaAnswer",
    "SuggestSchemaField",
    "ValidateSignature",
    "ValidateSignaturesAnswer",
    "ValidateSignaturesKeyUsage",
    "VerifyPdfAnswer",
    "VerifyPdfFailure",
    "VerifyPdfItem",
    "VerifyPdfWarning",
]
