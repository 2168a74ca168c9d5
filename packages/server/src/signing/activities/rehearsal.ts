// A signature on trial at the launch: what would stop the first signer is found out while the launcher can still do
// something about it. The key of the authority, the space for its certificates, the time stamp and this very file.
import { actorOf, type StagedContext, whileAsked } from '../../core/call/context.ts'
import type { Services } from '../../core/services.ts'
import { type BaseLayout, drawStamp } from '../../documents/signing/index.ts'
import { keyOf, signPdf } from '../certificates/index.ts'
import { trustFor } from './trust.ts'

/** Signs the base revision as a signer will, and keeps nothing of it. Returns by how many bytes a signature grows the file. */
export async function rehearse(
  context: StagedContext,
  { secrets, settings, publicUrl }: Pick<Services, 'secrets' | 'settings' | 'publicUrl'>,
  { bytes, layout }: { readonly bytes: Buffer; readonly layout: BaseLayout },
): Promise<number> {
  const field = layout.fields.find(({ kind }) => kind === 'signature')
  if (field === undefined) return 0
  const { db, now } = context
  const { name } = actorOf(context)
  const { key } = await keyOf(db, secrets, { accountId: null, name, mail: '' }, now, publicUrl)
  const set = await settings.current()
  return whileAsked(context, async (signal) => {
    const { stamping } = await trustFor(set, [key.chain], { at: now, signal, publicUrl })
    const stamp = await drawStamp(field.place, { picture: undefined, lines: [name] })
    const about = { texts: [], at: now, signer: name, reason: '' }
    const signed = await signPdf(bytes, { layout, size: layout.size, field, stamp, ...about, key, stamping })
    return signed.bytes.length - bytes.length
  })
}
