/** The library that contains a TensorFlow op, by the start of the op's name: "Addons>Mish", "SentencepieceOp". */
const LIBRARIES: readonly (readonly [RegExp, string])[] = [
  [/^Addons>/, 'tensorflow_addons'],
  [/^TFRA>/, 'tensorflow_recommenders_addons'],
  [/^IO>/, 'tensorflow_io'],
  [/^SimpleML/, 'tensorflow_decision_forests'],
  [/^(?:DecodeProtoSparse|EquiJoin|RunLengthBefore)/, 'struct2tensor'],
  [
    /^(?:CaseFold|NormalizeUTF8|Regex(?:Split|Replace)\w*Offsets|Sentencepiece|Wordpiece|Whitespace|Unicode\w*Tokenize|FastBert|FastWordpiece|Ngrams|TFText>)/,
    'tensorflow_text',
  ],
];

/** For an `op`: `opLibrary`, the module that registers it on import. */
export function opParts({ op = '' }: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const found = LIBRARIES.find(([named]) => named.test(op));
  return found ? { opLibrary: found[1] } : {};
}
