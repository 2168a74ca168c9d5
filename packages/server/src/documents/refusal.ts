// Why a document cannot be shown, as reported by the process that reads it.
export type Refusal = 'archiveTooLarge' | 'conversionFailed' | 'cellLimit' | 'conversionUnsupported' | 'sourceEncrypted'

export const refusals: readonly Refusal[] = [
  'archiveTooLarge',
  'conversionFailed',
  'cellLimit',
  'conversionUnsupported',
  'sourceEncrypted',
]

/** Thrown for a document that cannot be shown. */
export class Refused extends Error {
  override name = 'Refused'
  readonly code: Refusal

  constructor(code: Refusal, message: string = code) {
    super(message)
    this.code = code
  }
}
