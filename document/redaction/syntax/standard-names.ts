/**
 * Names that the standard defines (ISO 32000-1 and ISO 32000-2): keys, types and values, by chapter. Readers depend on
 * them, and they say nothing of a document. Names of stamps are left out: viewers show them.
 */
const STANDARD = `
Type Subtype Length Filter DecodeParms F FFilter FDecodeParms DL ASCIIHexDecode ASCII85Decode LZWDecode
FlateDecode RunLengthDecode CCITTFaxDecode JBIG2Decode DCTDecode JPXDecode Crypt AHx A85 LZW Fl RL CCF DCT
Predictor Colors BitsPerComponent Columns EarlyChange K EndOfLine EncodedByteAlign Rows EndOfBlock BlackIs1
DamagedRowsBeforeError JBIG2Globals ColorTransform Name Identity ObjStm N First Extends XRef Size Index Prev W
Root Encrypt Info ID XRefStm V SubFilter CF StmF StrF EFF CFM AuthEvent DocOpen EFOpen None V2 AESV2 AESV3 AESV4
StdCF DefaultCryptFilter Standard R O U OE UE P Perms EncryptMetadata KDFSalt Recipients Catalog Version
Extensions Pages PageLabels Names Dests ViewerPreferences PageLayout PageMode Outlines Threads OpenAction AA URI
AcroForm Metadata StructTreeRoot MarkInfo Lang SpiderInfo OutputIntents PieceInfo OCProperties Legal
Requirements Collection NeedsRendering DSS AF DPartRoot BaseVersion ExtensionLevel SinglePage OneColumn
TwoColumnLeft TwoColumnRight TwoPageLeft TwoPageRight UseNone UseOutlines UseThumbs FullScreen UseOC
UseAttachments Kids Count Parent Page Template LastModified Resources MediaBox CropBox BleedBox TrimBox ArtBox
BoxColorInfo Contents Rotate Group Thumb B Dur Trans Annots StructParents StructParent PZ SeparationInfo Tabs
TemplateInstantiated PresSteps UserUnit VP DPart Dest AP JavaScript IDS URLS EmbeddedFiles
AlternatePresentations Renditions Limits Nums Filespec FS UF DOS Mac Unix EF RF Desc CI Thumbnail AFRelationship
EmbeddedFile Params CreationDate ModDate CheckSum Creator ResFork Source Data Alternative Supplement
EncryptedPayload FormData Schema Unspecified URL Bounds Encode Functions FunctionType Domain Range BitsPerSample
Order Decode C0 C1 DPartRootNode RecordLevel NodeNameList Start End DPM
ProcSet PDF Text ImageB ImageC ImageI Font XObject ExtGState ColorSpace Pattern Shading Properties DeviceGray
DeviceRGB DeviceCMYK CalGray CalRGB Lab ICCBased Indexed Separation DeviceN NChannel DefaultGray DefaultRGB
DefaultCMYK G RGB CMYK I All Cyan Magenta Yellow Black WhitePoint BlackPoint Gamma Matrix Alternate Colorants
Process Components MixingHints Solidities PrintingOrder DotGain PatternType PaintType TilingType BBox XStep
YStep ShadingType Background AntiAlias Function Coords Extend BitsPerCoordinate BitsPerFlag VerticesPerRow LW LC
LJ ML D RI OP op OPM BG BG2 UCR UCR2 TR TR2 HT FL SM SA BM SMask CA ca AIS TK UseBlackPtComp HTO HTP Default
Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight Difference
Exclusion Hue Saturation Color Luminosity Alpha Mask S BC Transparency CS AbsoluteColorimetric
RelativeColorimetric Perceptual Image Form PS Width Height Intent ImageMask Alternates SMaskInData OPI Measure
PtData OC BPC IM DP DefaultForPrinting FormType Ref Private Halftone HalftoneType HalftoneName Frequency Angle
SpotFunction AccurateScreens TransferFunction Xsquare Ysquare Width2 Height2 Red Green Blue Gray SimpleDot
InvertedSimpleDot DoubleDot InvertedDoubleDot CosineDot Double InvertedDouble Line LineX LineY Round Ellipse
EllipseA InvertedEllipseA EllipseB EllipseC InvertedEllipseC Square Cross Rhomboid Diamond DeviceColorant
BaseFont FirstChar LastChar Widths FontDescriptor Encoding ToUnicode Type0 Type1 MMType1 Type3 TrueType
CIDFontType0 CIDFontType2 FontBBox FontMatrix CharProcs BaseEncoding Differences MacRomanEncoding
MacExpertEncoding WinAnsiEncoding StandardEncoding PDFDocEncoding CIDSystemInfo Registry Ordering DW DW2 W2
CIDToGIDMap DescendantFonts CMap CMapName UseCMap WMode FontName FontFamily FontStretch FontWeight Flags
ItalicAngle Ascent Descent Leading CapHeight XHeight StemV StemH AvgWidth MaxWidth MissingWidth FontFile
FontFile2 FontFile3 CharSet Style CIDSet FD Panose Length1 Length2 Length3 Type1C CIDFontType0C OpenType
UltraCondensed ExtraCondensed Condensed SemiCondensed SemiExpanded Expanded ExtraExpanded UltraExpanded
Proportional Generic Alphabetic AlphaNum Dingbats DingbatsRot Hangul Hanja HKana HKanaRot HRoman HRomanRot Kana
Kanji HojoKanji CIDInit CMapType CMapVersion UIDOffset XUID UIDBase Symbol ZapfDingbats Identity-H Identity-V
HideToolbar HideMenubar HideWindowUI FitWindow CenterWindow DisplayDocTitle NonFullScreenPageMode Direction L2R
R2L ViewArea ViewClip PrintArea PrintClip PrintScaling AppDefault Duplex Simplex DuplexFlipShortEdge
DuplexFlipLongEdge PickTrayByPDFSize PrintPageRange NumCopies Enforce XYZ Fit FitH FitV FitR FitB FitBH FitBV
Title Last Next SE C A St r a Split Blinds Box Wipe Dissolve Glitter Replace Fly Push Cover Uncover Fade Dm M Di
SS NA NU PC PO PV PI WC WS DS WP Fo Bl E X PDFOCGs GoTo GoToR GoToE GoToDp Launch Thread Sound Movie Hide Named
SubmitForm ResetForm ImportData SetOCGState Rendition GoTo3DView RichMediaExecute NextPage PrevPage FirstPage
LastPage NewWindow Win IsMap JS T H OCGs OCG OCMD VE AllOn AnyOn AnyOff AllOff On ON OFF Off Unchanged Toggle
PreserveRB View Design Usage CreatorInfo Language Preferred Export ExportState Zoom min max Print PrintState
ViewState User PageElement Event Category AS ListMode AllPages VisiblePages RBGroups Locked Configs BaseState
Annot Rect NM Border BS CAP Link FreeText Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret
Stamp Ink Popup FileAttachment PrinterMark TrapNet Watermark 3D Redact Projection RichMedia Widget Subj RC RD IT
IRT RT Open State StateModel Marked Unmarked Accepted Rejected Cancelled Completed Review Comment Key Note Help
NewParagraph Paragraph Insert
PushPin Paperclip Graph Tag Speaker
Mic LE Butt OpenArrow ClosedArrow ROpenArrow RClosedArrow Slash LL LLE LLO Cap CP CO Inline Top IC BE QuadPoints
Vertices InkList CL DA Q MK IX IF TP SW SV Path OverlayText Repeat RO FixedPrint MN Fields NeedAppearances
SigFlags DR XFA FT Btn Tx Ch Sig TU TM Ff DV Opt MaxLen TI Lock Yes SigFieldLock Action Include Exclude SigRef
TransformMethod TransformParams DigestMethod DigestValue DigestLocation DocMDP UR UR3 FieldMDP Cert ByteRange
Changes Reason Location ContactInfo Prop_Build Prop_AuthTime Prop_AuthType PIN Password Fingerprint App
Adobe.PPKLite Adobe.PPKMS Entrust.PPKEF CICI.SignIt VeriSign.PPKVS adbe.x509.rsa_sha1 adbe.pkcs7.detached
adbe.pkcs7.sha1 ETSI.CAdES.detached ETSI.RFC3161 DocTimeStamp VRI Certs CRLs OCSPs CRL OCSP TS SHA1 SHA256
SHA384 SHA512 RIPEMD160 MD5 FDF Status EmbeddedFDFs Before After AfterPermsReady Doc Target CollectionSchema
CollectionField CollectionItem CollectionSubitem CollectionSort CollectionSplitter CollectionColors Navigator
Folders Free Sort Details Tile Hidden
MR SR MediaClip MediaRendition MH MCD MCS CT ALT BU MediaPlayers MP PL TF MU VS Volume Auto MediaDuration
MediaOffset MediaCriteria MediaPermissions MinBitDepth MinScreenSize SoftwareIdentifier PlayParams FWParams
FloatingWindow ScreenParams Timespan Poster Rate Synchronous ShowControls Mode Once Palindrome Aspect FWScale
FWPosition 3DStream 3DView 3DD 3DV 3DA 3DI 3DB U3D PRC VA OnInstantiate AN 3DAnimationStyle Linear Oscillating
XN IN MS C2W U3DPath RM LS NR OS OB FOV OR Bin Binned 3DRef 3DBackground 3DRenderMode 3DLightingScheme
3DCrossSection 3DNode 3DMeasure Configuration Configurations Assets Activation Deactivation Animation
Presentation Toolbar NavigationPane Instances Instance Condition Views RichMediaContent RichMediaSettings
RichMediaPresentation RichMediaConfiguration RichMediaInstance RichMediaParams RichMediaActivation
RichMediaDeactivation Flash Video GEO CYX TT NumberFormat Viewport GCS DCS PDU GPTS LPTS GEOGCS PROJCS EPSG WKT
Foreground Embedded Windowed
Author Subject Keywords Producer Trapped True False Unknown XML StructElem RoleMap RoleMapNS ClassMap IDTree
ParentTree ParentTreeNextKey Namespaces NS Namespace PronunciationLexicon MCR MCID OBJR Obj Stm StmOwn Pg Alt
ActualText Phoneme PhoneticAlphabet Suspects UserProperties Document DocumentFragment Part Art Sect Div
BlockQuote Caption TOC TOCI NonStruct H1 H2 H3 H4 H5 H6 H7 H8 L LI Lbl LBody Table TH TD THead TBody TFoot Span
Quote Reference BibEntry Code Ruby RB RP Warichu WT Figure Formula Aside FENote Sub Em Strong Artifact Layout
List PrintField NSO XML-1.00 HTML-3.20 HTML-4.01 HTML-5.00 CSS-1.00 CSS-2.00 CSS-3.00 RTF-1.05 OEB-1.00 ARIA-1.1
Placement Block WritingMode LrTb RlTb TbRl TbLr LrBt BtRl BtLr RlBt BackgroundColor BorderColor BorderStyle
BorderThickness Padding SpaceBefore SpaceAfter StartIndent EndIndent TextIndent TextAlign Center Justify
BlockAlign Middle InlineAlign TBorderStyle TPadding BaselineShift LineHeight TextDecorationColor
TextDecorationThickness TextDecorationType Overline LineThrough RubyAlign RubyPosition Distribute
GlyphOrientationVertical ColumnCount ColumnGap ColumnWidths TextPosition Sup Dotted Dashed Solid Groove Ridge
Inset Outset ListNumbering Disc Decimal UpperRoman LowerRoman UpperAlpha LowerAlpha Unordered Ordered
Description ContinuedList ContinuedFrom Role rb cb pb tv lb Checked checked off on neutral RowSpan ColSpan
Headers Scope Summary Short Row Column Both Attached Left Right Bottom Pagination Header Footer PageNum Bates
LineNum Redaction ReversedChars Clip PlacedPDF SPS SIS AU SI OutputIntent GTS_PDFX GTS_PDFA1 ISO_PDFE1
OutputCondition OutputConditionIdentifier RegistryName DestOutputProfile DestOutputProfileRef SpectralData PCM
SeparationColorNames TrapRegions TrapStyles AnnotStates FontFauxing TransparentPatterns MarkStyle
GTS_PDFXVersion GTS_PDFXConformance GTS_PDFVTVersion ADBE ISO_ Requirement RH Penalty EnableJavaScripts
Encryption
`;

const known: ReadonlySet<string> = new Set(STANDARD.split(/\s+/));

/** True for names that must keep their meaning, and for names of one letter, which say nothing either. */
export function isStandardName(text: string): boolean {
  return text.length < 2 || known.has(text) || /^\d\.\d$/.test(text);
}
