# Generated from the declarations of the operations by `npm run docs`.
from __future__ import annotations

from quire_client.answers import ListFormFieldsAnswer, LocateFormFieldsAnswer
from quire_client.calls import value_call
from quire_client.core.plans import Call
from quire_client.operation_base import F, M, OperationBase, Source, as_method


class FormOperations(OperationBase[F, M]):
    """Operations of the category form."""

    def delete_form_fields(self, file: Source, /, *, names: str) -> F:
        """Remove form fields.

        `names` is JSON, as a field, a part of its own media type or a file: a list of names, or of objects with `name`,
        `targetName` or `fieldName`; an object with such a list as `fields`; one such object; one text. Names are full
        ones (`person.name`), else partial ones; that of a group (`person`) is that of all its fields.

        Fields are removed with all their widgets, tags, and entries in the calculation order and in action lists;
        nothing of them stays in the file. Unknown names are skipped: `X-Tool-Report` counts what was `deleted` and
        contains `deletedNames` and `unknown`. An XFA form is removed (`xfa: removed`).

        Args:
            file: The document (.pdf).
            names: Names of fields, as JSON.

        Returns:
            The document (pdf).
        """
        return self._file("form/delete-fields", [file], {"names": names}, {})

    def export_form_to_csv(self, file: Source, /, *, data: Source | None = None) -> F:
        """Export form field names and values as CSV.

        UTF-8 without byte order mark, lines ended by a line feed, every value quoted, no value nothing at all. Fields
        are in the order of `form/fields`; without a form, only the headings are returned. The values in `data`, which
        must be a file part, are filled in first, as in `form/fill`: names may be partial, texts are trimmed, null
        clears. The document itself is not changed. `X-Tool-Report` contains `fields`, and `unknown` and `refused` names
        (20 at most) that could not be filled in; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.

        Args:
            file: The document (.pdf).
            data: A file. A file with a JSON object of field names and values, which are filled in before the export, as
                in form/fill; values that a field does not accept are ignored.

        Returns:
            The document (csv).
        """
        return self._file("form/extract-csv", [file], {}, {"data": data})

    def export_form_to_xlsx(self, file: Source, /, *, data: Source | None = None) -> F:
        """Export form field names and values as a workbook.

        One sheet, `Form Fields`, with text cells only, so nothing is treated as a formula or a date. A cell holds at
        most 32767 characters; `cut` in the report counts longer texts. Fields are in the order of `form/fields`;
        without a form, only the headings are returned. The values in `data`, which must be a file part, are filled in
        first, as in `form/fill`: names may be partial, texts are trimmed, null clears. The document itself is not
        changed. `X-Tool-Report` contains `fields`, and `unknown` and `refused` names (20 at most) that could not be
        filled in; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.

        Args:
            file: The document (.pdf).
            data: A file. A file with a JSON object of field names and values, which are filled in before the export, as
                in form/fill; values that a field does not accept are ignored.

        Returns:
            The document (xlsx).
        """
        return self._file("form/extract-xlsx", [file], {}, {"data": data})

    @as_method
    def list_form_fields(self, file: Source, /) -> Call[ListFormFieldsAnswer]:
        """List form fields and a template for filling.

        By page, then in the order of the form. Fields without a name or a type are left out; `X-Tool-Report` says how
        many (`leftOut`), and `xfa` when the document has an XFA form: `hybrid` beside these fields, `dynamic` instead
        of them. A document without a form answers an empty list. `template` goes into `form/fill` as it is.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("form/fields", [file], {}, {})

    @as_method
    def locate_form_fields(self, file: Source, /) -> Call[LocateFormFieldsAnswer]:
        """List form fields with their boxes on the pages.

        By page, from top to bottom (tops within 10 points are one line), from left to right; fields that no page shows
        come last. Lengths are units of the page, points unless it says otherwise (`UserUnit`), from the upper left
        corner of the crop box, as the page is before `Rotate` turns it. Widgets that begin outside of the crop box are
        left out. A document without a form answers an empty list. `X-Tool-Report`: `leftOut` counts fields without a
        name or a type; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.

        Args:
            file: The document (.pdf).

        Returns:
            The JSON answer, as a dictionary or a list.
        """
        return value_call("form/fields-with-coordinates", [file], {}, {})

    def fill_form(self, file: Source, /, *, data: str | None = None, flatten: bool | None = None) -> F:
        """Fill in form fields.

        `data` is JSON, as a field, a part of its own media type or a file: an object of field names and values; the
        answer of `form/fields` (its `template` counts); an object with `fields`, or a list, of objects with `name` and
        `value`. Names are full ones (`person.name`), else partial ones (`name`). Texts are trimmed.

        Texts: a value that is longer than the field allows is refused, null clears. Check boxes: true, 1, yes, on,
        checked or the name of the state checks, anything else unchecks. Radio buttons: an export value; null and blank
        keep the selection. Choices: stored or shown values in any case, several as a list or separated by commas;
        unknown options are dropped, except in editable combo boxes; an empty rest clears. Push buttons and signatures
        are skipped. Read-only fields are filled in as well.

        Changed fields are redrawn, in every script that the built-in fonts support, and nothing is left to viewers. No
        script runs: `X-Tool-Report` names fields that scripts would have calculated (`notCalculated`) or formatted
        (`notFormatted`), and `unknown` names, `ignored` buttons and `dropped` values; `X-Warnings` names unknown fields
        too. An XFA form is removed (`xfa: removed`), because XFA viewers would show the old values; a form that has
        only XFA is refused.

        A signed document keeps its signatures: the changes are appended, and what a signature locks is refused. With
        `flatten`, the filled fields become page content and the form goes.

        Args:
            file: The document (.pdf).
            data: Values by field name, as JSON; nothing is filled in without.
            flatten: Make the filled fields page content and remove the form. Default: False.

        Returns:
            The document (pdf).
        """
        return self._file("form/fill", [file], {"data": data, "flatten": flatten}, {})

    def modify_form_fields(self, file: Source, /, *, updates: str) -> F:
        """Change properties of form fields.

        `updates` is a JSON list of objects, sent as a field, a part with its own media type, or a file. Each has
        `targetName` (the full name, or else a partial one) and the changes: `name` (a partial name; if it is taken,
        `_1`, `_2` is appended), `label`, `tooltip` (blank removes it), `required`, `multiSelect` (for list boxes),
        `options` (for choices), `defaultValue` (becomes the value of the field; blank clears it) and `type`. Members
        that are missing or null are not changed.

        Another `type` (`text`, `checkbox`, `combobox`, `listbox`; `radio`, `button` and `signature` become `text`)
        creates a new field in the place of the first widget, with its frame, tags, label and, if possible, its value.
        Unknown targets, fields that no page shows and unknown types are ignored: `X-Tool-Report` holds `unknown` and
        `skipped`, and `renamed` for names that got a number.

        Changed fields are redrawn; field names in actions, scripts and locks follow. An XFA form is removed (`xfa:
        removed`). A document without a form is returned unchanged.

        Args:
            file: The document (.pdf).
            updates: Changes, as JSON.

        Returns:
            The document (pdf).
        """
        return self._file("form/modify-fields", [file], {"updates": updates}, {})
