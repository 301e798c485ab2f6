// Swagger UI offers named examples for JSON bodies only. This plugin of it offers them for forms: choosing one fills in the fields and
// loads the files that the server has for it (`x-files` of form-examples.ts), so that Execute succeeds at once.
window.QuireFormExamples = (system) => {
  const { React, Im } = system;
  const h = React.createElement;

  /** What a field of the form holds for a value of an example. */
  const typed = (value) =>
    Array.isArray(value)
      ? Im.List(value.map(String))
      : typeof value === 'object' && value !== null
        ? JSON.stringify(value, null, 2)
        : String(value);

  const isFile = (schema) => schema.get('format') === 'binary' || schema.getIn(['items', 'format']) === 'binary';

  /** Swagger UI would fill in made-up values (0, the first of a list) for fields that may stay empty, and send them. */
  const leaveEmpty = (media) =>
    media.updateIn(['schema', 'properties'], (properties) =>
      properties.map((schema, name) => {
        const free =
          !media.getIn(['schema', 'required'], Im.List()).includes(name) &&
          !schema.has('default') &&
          !schema.has('example');
        return free && !isFile(schema) && !['array', 'object'].includes(schema.get('type'))
          ? schema.set('example', '')
          : schema;
      }),
    );

  /** What the form holds before anything is typed. */
  const initial = (schema) => {
    if (isFile(schema)) return '';
    const sample = system.fn.getSampleSchema(schema, false, { includeWriteOnly: true });
    if (schema.get('type') === 'array')
      return typeof sample === 'string' ? Im.List(JSON.parse(sample)) : Im.List(sample ?? []);
    return typeof sample === 'string' ? sample : sample === undefined || sample === null ? '' : typed(sample);
  };

  const load = async (address) => {
    const answer = await fetch(`..${address}`);
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
    return new File([await answer.blob()], decodeURIComponent(address.split('/').pop()));
  };

  /** Puts files into the inputs of their fields, so that these name them; whatever somebody chose stays. */
  const showFiles = (form, fields) => {
    for (const [field, files] of Object.entries(fields)) {
      for (const [i, input] of (
        form?.querySelectorAll(`[data-property-name="${CSS.escape(field)}"] input[type=file]`) ?? []
      ).entries()) {
        if (files[i] === undefined || input.files.length > 0) continue;
        const transfer = new DataTransfer();
        transfer.items.add(files[i]);
        input.files = transfer.files;
      }
    }
  };

  const WithExamples = ({ Original, ...props }) => {
    const { requestBody, contentType, isExecute, onChange } = props;
    const given = requestBody?.getIn(['content', contentType]);
    const isForm =
      /^(multipart|application\/x-www-form-urlencoded)/.test(contentType ?? '') &&
      given?.getIn(['schema', 'properties']) !== undefined;
    const media = isForm ? leaveEmpty(given) : given;
    const examples = media?.get('examples');
    const [chosen, choose] = React.useState('');
    const [done, finish] = React.useState('');
    const [state, say] = React.useState('');
    const form = React.useRef(null);
    const shownFiles = React.useRef({});
    // After every drawing: each entry of a list of files has an input of its own, which comes with the file.
    React.useEffect(() => showFiles(form.current, shownFiles.current));
    React.useEffect(() => {
      let here = true;
      const fill = async () => {
        const example = examples.get(chosen);
        const files = example.get('x-files', Im.Map()).toJS();
        for (const [field, schema] of media.getIn(['schema', 'properties'])) {
          if (files[field] !== undefined) continue;
          const value = isFile(schema) ? undefined : example.getIn(['value', field]);
          onChange(value === undefined ? initial(schema) : typed(Im.isCollection(value) ? value.toJS() : value), [
            field,
          ]);
        }
        shownFiles.current = {};
        for (const [field, addresses] of Object.entries(files)) {
          const loaded = await Promise.all(addresses.map(load));
          if (!here) return;
          shownFiles.current[field] = loaded;
          onChange(media.getIn(['schema', 'properties', field, 'type']) === 'array' ? Im.List(loaded) : loaded[0], [
            field,
          ]);
        }
        say(
          example.get('x-files') === undefined
            ? example.get('description', '') && `${example.get('description')} (choose them below)`
            : `Loaded. ${example.get('description')}`,
        );
        finish(chosen);
      };
      if (chosen !== '') fill().catch((error) => here && say(`The files could not be loaded: ${error.message}`));
      return () => {
        here = false;
      };
    }, [chosen]);
    const shown = isForm ? { ...props, requestBody: requestBody.setIn(['content', contentType], media) } : props;
    if (!isExecute || examples === undefined || !isForm) return h(Original, shown);
    return h(
      'div',
      { ref: form },
      h(
        'div',
        { className: 'quire-examples', style: { padding: '10px 20px' } },
        h(
          'label',
          null,
          h('strong', null, 'Example '),
          h(
            'select',
            {
              value: chosen,
              onChange: (event) => {
                say('');
                choose(event.target.value);
              },
            },
            h('option', { value: '' }, 'choose one to fill in the form'),
            ...examples
              .entrySeq()
              .map(([title, example]) => h('option', { key: title, value: title }, example.get('summary', title)))
              .toArray(),
          ),
        ),
        h(
          'span',
          { className: 'quire-examples-state', 'data-done': String(done === chosen), style: { marginLeft: '10px' } },
          state.replaceAll('`', ''),
        ),
      ),
      // Another example is another form: file fields cannot be emptied otherwise.
      h(Original, { ...shown, key: chosen }),
    );
  };

  return { wrapComponents: { RequestBody: (Original) => (props) => h(WithExamples, { ...props, Original }) } };
};
