/** Files whose verdict is not that of their suite, and why. The test fails for an entry that is no longer true. */
export const deviations: Readonly<Record<string, string>> = {
  'zugferd-corpus/XML-Rechnung/CII/not_validating_full_invoice_based_onTest_EeISI_300_CENfullmodel.cii.xml':
    'We find it valid. So does Mustang 2.26; what was wrong in its day is not said.',
  'zugferd-corpus/ZUGFeRDv1/correct/Mustangproject/MustangGnuaccountingBeispielRE-20140519_499.pdf':
    'We refuse it: an invoice in the draft of ZUGFeRD 1.0 (2013), whose elements are not those of ZUGFeRD 1.0.',
  'zugferd-corpus/ZUGFeRDv2/correct/Mustangproject/MustangGnuaccountingBeispielRE-20190610_507.pdf':
    'BR-CL-11: the scheme 9930 of a legal registration is not an ICD code. Mustang 2.26 refuses it too.',
  'zugferd-corpus/ZUGFeRDv2/correct/symtrax/Beispiele/EXTENDED/zugferd_2p1_EXTENDED_Fremdwaehrung.pdf':
    'BR-CL-19: allowances with codes of charges (CAO, ADZ, ABK). Mustang 2.26 refuses it too.',
  'zugferd-corpus/ZUGFeRDv2/fail/FNFE-factur-x-examples/Avoir_FR_type381_BASICWL.pdf':
    'We warn of currencyID, which BASIC WL has no place for today, but the invoice is older. Mustang accepts it.',
};

/** Deviations only where veraPDF is not installed. */
export const withoutPdfA: Readonly<Record<string, string>> = {
  'zugferd-corpus/ZUGFeRDv2/fail/ZUGFeRD_2_fully_compliant_complete.pdf':
    'It claims PDF/A-3a and breaks its rules, which only veraPDF finds.',
};
