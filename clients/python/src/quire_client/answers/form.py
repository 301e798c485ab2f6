# Generated from the declarations of the operations by `npm run docs`.
"""Types of the JSON answers of the category form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class ListFormFieldsField(TypedDict):
    name: str
    """Partial names from the top, joined by periods"""
    label: str
    """Name for people"""
    type: Literal["text", "checkbox", "combobox", "listbox", "radio", "button", "signature"]
    value: NotRequired[str]
    """Present value, several choices joined by commas; absent for none"""
    options: NotRequired[list[str]]
    """Values that it can take: of choices stored ones, then shown ones; of check boxes and radio buttons export values.
    Absent for none"""
    required: bool
    pageIndex: int
    """0-based page of its first widget; -1 for none"""
    multiSelect: bool
    """A list box that takes several options"""
    tooltip: NotRequired[str]
    """Absent for none"""
    pageOrder: int
    """0-based number among the fields of its page, in the order of the form"""


class ListFormFieldsAnswer(TypedDict):
    """Answer of ``list_form_fields``."""

    fields: list[ListFormFieldsField]
    """Empty for a document without a form"""
    template: dict[str, Any]
    """Field name to present value: true or false for check boxes, an empty list for lists of several, a text for
    others; no buttons and signatures"""
    xfa: NotRequired[Literal["hybrid", "dynamic"]]
    """The document has an XFA form: beside these fields, or instead of them. Absent for none"""


class LocateFormFieldsChoice(TypedDict):
    value: str
    """Stored value, which `form/fill` takes"""
    label: str
    """Shown text"""


class LocateFormFieldsWidget(TypedDict):
    pageIndex: int
    """0-based"""
    x: float
    """From the left edge of the crop box"""
    y: float
    """From the top edge of the crop box to the top of the widget"""
    width: float
    height: float
    exportValue: NotRequired[str]
    """Of check boxes and radio buttons: the value of this choice, as in `value`; absent otherwise"""
    fontSize: NotRequired[float]
    """Absent if it depends on the field size or is unknown"""
    alignment: NotRequired[Literal["left", "center", "right"]]
    """Of texts and choices; absent otherwise"""
    rotation: NotRequired[Literal[90, 180, 270]]
    """Degrees by which the content is turned counterclockwise on the page; absent for 0"""
    caption: NotRequired[str]
    """Text of a push button; absent for none"""
    hidden: NotRequired[Literal[True]]
    """Screens do not show it; absent for those that do"""
    tabOrder: int
    """0-based place among the widgets of its page when people press the tab key: by rows or columns where the page says
    so, else in the order of its annotations"""


class LocateFormField(TypedDict):
    name: str
    """Partial names from the top, joined by periods"""
    label: str
    """Name for people"""
    type: Literal["text", "checkbox", "combobox", "listbox", "radio", "button", "signature"]
    value: NotRequired[str]
    """Present value, several choices joined by commas; absent for none"""
    options: NotRequired[list[str]]
    """Values that it can take: of choices stored ones, then shown ones; of check boxes and radio buttons export values.
    Absent for none"""
    displayOptions: NotRequired[list[str]]
    """Shown texts of the options; absent if they equal the values"""
    required: bool
    readOnly: bool
    multiSelect: bool
    """A list box that takes several options"""
    multiline: bool
    """A text of several lines"""
    password: bool
    """A text that is shown as asterisks"""
    comb: bool
    """A text with `maxLength` cells, one for each character"""
    editable: bool
    """A combo box that takes other texts than its options"""
    maxLength: NotRequired[int]
    """Most characters of a text; absent for any number"""
    choices: NotRequired[list[LocateFormFieldsChoice]]
    """Options of a combo or list box, in order; absent for none"""
    values: NotRequired[list[str]]
    """Present choices of a list box that takes several; absent for none"""
    signed: NotRequired[bool]
    """Of signature fields only"""
    lockedBy: NotRequired[str]
    """Signature field whose signature locks this field; absent for a field that may change"""
    tooltip: NotRequired[str]
    """Absent for none"""
    widgets: NotRequired[list[LocateFormFieldsWidget]]
    """Where it is shown; absent for nowhere"""


LocateFormFieldsAnswer: TypeAlias = "list[LocateFormField]"
"""Answer of ``locate_form_fields``."""
