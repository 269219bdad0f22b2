const id = { '@type': '@id' } as const;
const vocab = { '@type': '@vocab' } as const;
const hydra = (term: string) => `hydra:${term}`;
const plain = (...terms: string[]) => Object.fromEntries(terms.map((term) => [term, hydra(term)]));
const typed = (type: object, ...terms: string[]) => Object.fromEntries(terms.map((term) => [term, { '@id': hydra(term), ...type }]));

const classes = plain(
  ...['ApiDocumentation', 'BasicRepresentation', 'Class', 'Collection', 'Error', 'ExplicitRepresentation', 'IriTemplate'],
  ...['IriTemplateMapping', 'Link', 'Operation', 'PartialCollectionView', 'Resource', 'Rfc6570Template', 'Status'],
  ...['SupportedProperty', 'TemplatedLink', 'VariableRepresentation'],
);

const texts = plain(
  ...['description', 'expectsHeader', 'freetextQuery', 'limit', 'method', 'offset', 'pageIndex', 'readable', 'required'],
  ...['returnsHeader', 'statusCode', 'template', 'title', 'totalItems', 'variable', 'writeable', 'writable', 'readonly', 'writeonly'],
);

const references = typed(
  id,
  ...['apiDocumentation', 'collection', 'entrypoint', 'extension', 'first', 'last', 'mapping', 'member', 'memberAssertion', 'manages'],
  ...['next', 'operation', 'pageReference', 'previous', 'search', 'supportedClass', 'supportedOperation', 'supportedProperty', 'view'],
  ...['possibleStatus', 'statusCodes'],
);

const names = typed(vocab, 'expects', 'object', 'property', 'resolveRelativeUsing', 'returns', 'subject', 'variableRepresentation');

/** The terms of the Hydra core vocabulary, written for this kit so that nothing has to be fetched. */
const hydraContext = {
  '@context': {
    hydra: 'http://www.w3.org/ns/hydra/core#',
    rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    xsd: 'http://www.w3.org/2001/XMLSchema#',
    owl: 'http://www.w3.org/2002/07/owl#',
    vs: 'http://www.w3.org/2003/06/sw-vocab-status/ns#',
    dc: 'http://purl.org/dc/terms/',
    schema: 'http://schema.org/',
    ...classes,
    ...texts,
    ...references,
    ...names,
    label: 'rdfs:label',
    comment: 'rdfs:comment',
    domain: { '@id': 'rdfs:domain', ...vocab },
    range: { '@id': 'rdfs:range', ...vocab },
    subClassOf: { '@id': 'rdfs:subClassOf', ...vocab },
    subPropertyOf: { '@id': 'rdfs:subPropertyOf', ...vocab },
    isDefinedBy: { '@id': 'rdfs:isDefinedBy', ...id },
    seeAlso: { '@id': 'rdfs:seeAlso', ...id },
  },
} as const;

/** Where the published context is usually said to be; both schemes, without fragment. */
const places = ['www.w3.org/ns/hydra/core', 'www.w3.org/ns/hydra/context.jsonld'];

export const bundledContexts: ReadonlyMap<string, object> = new Map(
  places.flatMap((place) => ['http', 'https'].map((scheme) => [`${scheme}://${place}`, hydraContext] as const)),
);
