// Why a document cannot be shown, as the process that reads it tells the server.
export type Refusal = 'conversionFailed' | 'cellLimit' | 'conversionUnsupported' | 'sourceEncrypted'

export const refusals: readonly Refusal[] = [
  'conversionFailed',
  'cellLimit',
  'conversionUnsupported',
  'sourceEncrypted',
]

/** A document that is not shown. */
export class Refused extends Error {
  override name = 'Refused'
  readonly code: Refusal

  constructor(code: Refusal, message: string = code) {
    super(message)
    this.code = code
  }
}
