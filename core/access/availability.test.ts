import type { Catalog } from '@quire/catalog';
import { expect } from 'chai';
import { AvailabilityTable, endpointKey, type AvailabilitySettings } from './availability.js';
import { alternatives, functionalGroups, toolGroups } from './endpoint-groups.js';

/** A catalog of operations by path, each with the programs that it needs. */
function catalogOf(operations: Readonly<Record<string, readonly string[]>>): Catalog {
  const entries = Object.entries(operations).map(
    ([path, programs]) =>
      [
        path,
        { operation: { path, needs: { programs } }, plugin: { name: `@quire/plugin-${path.split('/')[0]}` } },
      ] as const,
  );
  // Contains only what the table reads.
  return { operations: new Map(entries), endpoints: [], plugins: [] } as unknown as Catalog;
}

const paths = {
  'general/rotate-pdf': [],
  'general/crop': [],
  'misc/repair': [],
  'misc/compress-pdf': [],
  'misc/ocr-pdf': ['tesseract'],
  'convert/file/pdf': ['libreoffice'],
  'convert/pdf/img': [],
  'convert/url/pdf': [],
  'filter/filter-page-count': [],
  'misc/show-javascript': [],
};

interface Given extends Partial<Omit<AvailabilitySettings, 'origin'>> {
  readonly switches?: Readonly<Record<string, boolean>>;
  readonly programs?: readonly string[];
  readonly origins?: Readonly<Record<string, string>>;
}

function table({
  switches = {},
  programs = ['tesseract', 'libreoffice', 'qpdf', 'ghostscript'],
  origins = {},
  ...settings
}: Given = {}): AvailabilityTable {
  const groups: Readonly<Record<string, string>> = {
    tesseract: 'tesseract',
    libreoffice: 'LibreOffice',
    qpdf: 'qpdf',
    ghostscript: 'Ghostscript',
  };
  return new AvailabilityTable({
    catalog: catalogOf(paths),
    switches: { revision: 1, known: true, get: (kind, name) => switches[`${kind}:${name}`] },
    settings: {
      toRemove: [],
      groupsToRemove: [],
      disabled: [],
      urlToPdf: true,
      enterprise: true,
      origin: (key) => origins[key] ?? 'settings.yml:3',
      ...settings,
    },
    hasProgram: (name) => programs.includes(name),
    toolGroupOf: (program) => groups[program],
    programsOf: (group) => Object.keys(groups).filter((name) => groups[name] === group),
  });
}

const off = (made: AvailabilityTable): string[] =>
  made
    .all()
    .filter(({ availability }) => !availability.enabled)
    .map(({ path }) => path);

describe('AvailabilityTable', () => {
  it('enables an operation that nothing disables', () => {
    expect(off(table())).to.deep.equal([]);
    expect(table().ofPath('general/rotate-pdf')).to.include({ enabled: true, reason: null, decidedBy: 'default' });
  });

  it('names operations by their last segment, and conversions by from and to', () => {
    expect(
      [
        'general/rotate-pdf',
        'convert/pdf/img',
        'pipeline/handleData',
        'docparse/extract-fields/json',
        'job/{jobId}',
      ].map(endpointKey),
    ).to.deep.equal(['rotate-pdf', 'pdf-to-img', 'handleData', 'json', 'job']);
  });

  it('disables by exact, case-sensitive key, also keys outside every group', () => {
    expect(off(table({ toRemove: ['rotate-pdf', 'pdf-to-img', 'filter-page-count'] }))).to.deep.equal([
      'general/rotate-pdf',
      'convert/pdf/img',
      'filter/filter-page-count',
    ]);
    expect(off(table({ toRemove: ['Rotate-pdf', 'rotate', 'pdf/img', 'rotate-pdf '] }))).to.deep.equal([]);
    expect(off(table({ toRemove: ['/api/v1/general/rotate-pdf'], disabled: ['misc/repair'] }))).to.deep.equal([
      'general/rotate-pdf',
      'misc/repair',
    ]);
  });

  it('disables every member of a functional group by its exact name', () => {
    expect(off(table({ groupsToRemove: ['PageOps'] }))).to.deep.equal(['general/rotate-pdf', 'general/crop']);
    expect(off(table({ groupsToRemove: ['DeveloperTools', 'pageops'] }))).to.deep.equal(['misc/show-javascript']);
    expect(off(table({ groupsToRemove: ['filter'] }))).to.deep.equal(['filter/filter-page-count']);
  });

  it('disables by tool group only when no alternative is left', () => {
    expect(off(table({ groupsToRemove: ['qpdf'] }))).to.deep.equal([]);
    expect(off(table({ groupsToRemove: ['qpdf', 'Ghostscript'] }))).to.deep.equal(['misc/repair']);
    expect(off(table({ groupsToRemove: ['qpdf', 'Ghostscript', 'Java'] }))).to.deep.equal([
      'general/crop',
      'misc/repair',
      'misc/compress-pdf',
    ]);
    expect(off(table({ groupsToRemove: ['LibreOffice'] })), 'file-to-pdf runs LibreOffice here').to.deep.equal([
      'convert/file/pdf',
    ]);
    expect(table({ groupsToRemove: ['LibreOffice'] }).ofPath('convert/file/pdf').reason).to.equal('CONFIG');
  });

  it('reports a missing program as DEPENDENCY, and a removed operation as CONFIG even so', () => {
    expect(table({ programs: [] }).ofPath('misc/ocr-pdf')).to.deep.include({
      enabled: false,
      reason: 'DEPENDENCY',
      missing: ['tesseract'],
    });
    expect(table({ programs: [], toRemove: ['ocr-pdf'] }).ofPath('misc/ocr-pdf')).to.deep.include({
      reason: 'CONFIG',
      missing: [],
    });
  });

  it('disables url-to-pdf until system.enableUrlToPDF is set', () => {
    expect(off(table({ urlToPdf: false }))).to.deep.equal(['convert/url/pdf']);
    expect(off(table({ urlToPdf: false, switches: { 'operation:convert/url/pdf': true } }))).to.deep.equal([]);
  });

  it('follows the nearest switch: operation, then plugin, then category', () => {
    const misc = ['misc/repair', 'misc/compress-pdf', 'misc/ocr-pdf', 'misc/show-javascript'];
    expect(off(table({ switches: { 'category:misc': false } }))).to.deep.equal(misc);
    expect(off(table({ switches: { 'plugin:@quire/plugin-misc': false, 'category:misc': true } }))).to.deep.equal(misc);
    expect(
      off(
        table({
          switches: { 'category:misc': false, 'plugin:@quire/plugin-misc': true, 'operation:misc/repair': false },
        }),
      ),
    ).to.deep.equal(['misc/repair']);
    expect(off(table({ switches: { 'category:misc': false, 'operation:misc/repair': true } }))).to.deep.equal(
      misc.slice(1),
    );
  });

  it('prefers a switch to the settings file at the same level', () => {
    expect(off(table({ toRemove: ['repair'], switches: { 'operation:misc/repair': true } }))).to.deep.equal([]);
    expect(
      off(table({ toRemove: ['repair'], switches: { 'category:misc': true } })),
      'a category does not bring back one that is named',
    ).to.deep.equal(['misc/repair']);
    expect(off(table({ groupsToRemove: ['Other'], switches: { 'category:misc': true } }))).to.deep.equal([]);
    expect(table({ toRemove: ['repair'] }).ofPath('misc/repair').decidedBy).to.equal('settings.yml:3');
    expect(table({ switches: { 'category:misc': false } }).ofPath('misc/repair').decidedBy).to.equal(
      'switch category:misc',
    );
  });

  it('lets no switch enable what the environment disables or what lacks its tool', () => {
    const origins = {
      'endpoints.toRemove': 'environment ENDPOINTS_TOREMOVE',
      'endpoints.groupsToRemove': 'environment ENDPOINTS_GROUPSTOREMOVE',
    };
    const pinned = table({
      toRemove: ['repair'],
      groupsToRemove: ['PageOps', 'general'],
      origins,
      switches: { 'operation:misc/repair': true, 'operation:general/crop': true },
    });
    expect(off(pinned)).to.deep.equal(['general/rotate-pdf', 'general/crop', 'misc/repair']);
    expect([
      pinned.pinOf('operation', 'misc/repair'),
      pinned.pinOf('category', 'general'),
      pinned.pinOf('category', 'misc'),
      pinned.pinOf('operation', 'misc/ocr-pdf'),
    ]).to.deep.equal(['ENDPOINTS_TOREMOVE', 'ENDPOINTS_GROUPSTOREMOVE', undefined, undefined]);
    expect(off(table({ programs: [], switches: { 'operation:misc/ocr-pdf': true } }))).to.include('misc/ocr-pdf');
    expect(
      off(table({ groupsToRemove: ['LibreOffice'], switches: { 'operation:convert/file/pdf': true } })),
    ).to.deep.equal(['convert/file/pdf']);
  });

  it('answers existing clients by endpoint key', () => {
    const made = table({ toRemove: ['rotate-pdf', 'no-such-tool'], groupsToRemove: ['Automation'], programs: [] });
    expect(made.byKey('rotate-pdf')).to.deep.equal({ enabled: false, reason: 'CONFIG' });
    expect(made.byKey('/rotate-pdf')).to.deep.equal({ enabled: false, reason: 'CONFIG' });
    expect(made.byKey('file-to-pdf')).to.deep.equal({ enabled: false, reason: 'DEPENDENCY' });
    expect(made.byKey('crop')).to.deep.equal({ enabled: true, reason: null });
    expect(made.byKey('Crop')).to.deep.equal({ enabled: true, reason: 'UNKNOWN' });
    expect(made.byKey('__proto__')).to.deep.equal({ enabled: true, reason: 'UNKNOWN' });
    expect(made.byKey('no-such-tool')).to.deep.equal({ enabled: false, reason: 'CONFIG' });
    expect(made.byKey('automate')).to.deep.equal({ enabled: false, reason: 'CONFIG' });
  });

  it('enables a functional group when all members are on, and a tool group when its program is found', () => {
    const made = table({ toRemove: ['repair'], groupsToRemove: ['Ghostscript'], programs: ['qpdf', 'ghostscript'] });
    const answers = Object.fromEntries(
      [
        'PageOps',
        'Other',
        'Security',
        'general',
        'misc',
        'qpdf',
        'Ghostscript',
        'LibreOffice',
        'Java',
        'Calibre',
        'enterprise',
        'nothing',
        'constructor',
      ].map((group) => [group, made.groupEnabled(group)]),
    );
    expect(answers).to.deep.equal({
      PageOps: true,
      Other: false,
      Security: false,
      general: true,
      misc: false,
      qpdf: true,
      Ghostscript: false,
      LibreOffice: false,
      Java: true,
      Calibre: false,
      enterprise: true,
      nothing: false,
      constructor: false,
    });
  });

  it('knows every group of the contract, and alternatives only among tools', () => {
    expect(Object.keys(functionalGroups)).to.have.members([
      'PageOps',
      'Convert',
      'Security',
      'Other',
      'Advance',
      'Automation',
      'DeveloperTools',
      'DeveloperDocs',
      'enterprise',
    ]);
    expect(Object.keys(toolGroups)).to.have.members([
      'qpdf',
      'OCRmyPDF',
      'Ghostscript',
      'LibreOffice',
      'tesseract',
      'CLI',
      'Python',
      'OpenCV',
      'Unoconvert',
      'Java',
      'Javascript',
      'Weasyprint',
      'Pdftohtml',
      'ImageMagick',
      'rar',
      'Calibre',
      'FFmpeg',
      'veraPDF',
    ]);
    const named = (key: string): string[] =>
      Object.keys(toolGroups).filter((group) => toolGroups[group]?.includes(key));
    expect(Object.fromEntries([...alternatives].map((key) => [key, named(key).sort()]))).to.deep.equal({
      repair: ['Ghostscript', 'qpdf'],
      'compress-pdf': ['Ghostscript', 'Java', 'qpdf'],
      crop: ['Ghostscript', 'Java'],
      'ocr-pdf': ['OCRmyPDF', 'tesseract'],
      'file-to-pdf': ['LibreOffice', 'Unoconvert'],
      'pdf-to-html': ['LibreOffice', 'Pdftohtml'],
      'pdf-to-markdown': ['Pdftohtml'],
      'markdown-to-pdf': ['Java', 'Weasyprint'],
    });
  });
});
