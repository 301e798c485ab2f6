// Reads the document of QUIRE_DOCUMENT, writes the client to QUIRE_OUTPUT; it calls the server at QUIRE_URL.
const { QUIRE_DOCUMENT, QUIRE_OUTPUT, QUIRE_URL } = process.env;

export default {
  quire: { input: QUIRE_DOCUMENT, output: { target: QUIRE_OUTPUT, client: 'fetch', baseUrl: QUIRE_URL } },
};
