// The mails that wait in the queue, with their words.
import { sql } from 'kysely'
import type { Db } from '../src/core/db/database.ts'
import { openMail } from '../src/core/mail/index.ts'
import type { Services } from '../src/core/services.ts'

/** A mail that waits in the queue. */
export interface QueuedMail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The mails to an address that wait in the queue of an installation, the oldest first. */
export async function queuedMailsIn(
  { db, services }: { readonly db: Db; readonly services: Pick<Services, 'secrets'> },
  address: string,
): Promise<QueuedMail[]> {
  const { rows } = await sql<{ input: Parameters<typeof openMail>[1] }>`
    select input from job where kind = 'mail' and input->>'to' = ${address} order by id`.execute(db)
  return rows.map(({ input }) => openMail(services.secrets, input))
}
