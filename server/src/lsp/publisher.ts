import type { Connection, Diagnostic } from 'vscode-languageserver';

/** Publishes the diagnostics of one feature. Several features may have diagnostics for the same document. */
export type Publish = (uri: string, version: number | undefined, diagnostics: readonly Diagnostic[]) => void;

/**
 * Returns a publisher for each feature. A client has one list per document, so it receives the diagnostics of all
 * features whenever those of one feature change.
 */
export function createPublisher(connection: Connection): () => Publish {
  const published = new Map<string, Map<Publish, readonly Diagnostic[]>>();
  return () => {
    const publish: Publish = (uri, version, diagnostics) => {
      const ofDocument = published.get(uri) ?? new Map<Publish, readonly Diagnostic[]>();
      if (diagnostics.length > 0) ofDocument.set(publish, diagnostics);
      else ofDocument.delete(publish);
      if (ofDocument.size > 0) published.set(uri, ofDocument);
      else published.delete(uri);
      void connection.sendDiagnostics({ uri, version, diagnostics: [...ofDocument.values()].flat() });
    };
    return publish;
  };
}
