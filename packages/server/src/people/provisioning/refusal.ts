// Refusals of SCIM (RFC 7644, 3.12): a status, the kind of mistake, and what to do about it.

export type ScimType =
  | 'invalidFilter'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'tooMany'

/** Ends a request with a status. What the transaction has written is undone. */
export class ScimRefusal extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  constructor(status: number, detail: string, scimType?: ScimType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const refuse = (status: number, detail: string, scimType?: ScimType): never => {
  throw new ScimRefusal(status, detail, scimType)
}
