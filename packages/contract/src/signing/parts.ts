// Parts of inputs and answers that calls of several files of signing share.
import { signFieldKinds } from '@cloudoc/domain'
import { z } from 'zod'

/** A place of a signer, in points from the bottom left of the page. */
export const FieldOfSigner = z.strictObject({
  fieldId: z.int(),
  kind: z.enum(signFieldKinds),
  page: z.int(),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
})

/** At most 100 KB of PNG, in base64. */
export const Picture = z
  .string()
  .max(140_000)
  .regex(/^[A-Za-z0-9+/]*=*$/)
  .describe('PNG of at most 100 KB and 1024 pixels a side, in base64.')
