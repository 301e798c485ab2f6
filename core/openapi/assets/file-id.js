// The document requires `fileInput`, so that generated clients insist on a file, but the server also accepts the id of a
// file that it has. Swagger UI would refuse to send such a call.
window.QuireFileId = () => ({
  statePlugins: {
    oas3: {
      wrapSelectors: {
        validateShallowRequired:
          (missing) =>
          (state, ...call) => {
            const [{ oas3RequestBodyValue: form }] = call;
            const hasFileId = Boolean(form?.getIn?.(['fileId', 'value']));
            return missing(state, ...call).filter((field) => field !== 'fileInput' || !hasFileId);
          },
      },
    },
  },
});
