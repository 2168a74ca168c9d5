// Mails that are read in processes of their own, on a machine that has other work.
import { expect, test } from 'vitest'
import { mailText } from '../../../test/mails.ts'
import { summariesOf } from './read-mails.ts'

const mails = ['甲', '乙'].map((subject) => Buffer.from(mailText(subject)))
const { signal } = new AbortController()

// [R290] A mail that there was no time to read is no unreadable mail: it is fetched again.
test('[R290] where there is no time to read mails, none is stored as unreadable', async () => {
  await expect(summariesOf(mails, signal, 1)).rejects.toMatchObject({ code: 'time' })
  await expect(summariesOf(mails.slice(1), signal, 1)).rejects.toMatchObject({ code: 'time' })
  expect((await summariesOf(mails, signal)).map(({ subject, problem }) => [subject, problem])).toEqual([
    ['甲', ''],
    ['乙', ''],
  ])
})
