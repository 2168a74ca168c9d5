// Reports of links by visitors: notifications, review, and limits.
import { linkRights } from '@cloudoc/domain'
import { describe, expect, test } from 'vitest'
import { hour, linkWorld } from '../../../test/links.ts'

const { world, clock, now, enter, wire, scene, make } = linkWorld()
const { upload } = linkRights
const said = { reason: 'private', comments: '里面有我的身份证', contact: '13800000000' }

describe('[R228] a link is reported', () => {
  // [R228] A visitor reports a link, also before entering: administrators see the whole report, the creator only the
  // reason; it is listed first among the risks until it is settled.
  test('[R228] by whoever has its address; administrators learn all of it, who made it only why, and the visitor nothing', async () => {
    const { anna, fileId } = await scene()
    const [admin, ben, auditor] = [await world.admin(), await world.person('ben'), await world.person('auditor')]
    await admin.call('setPowerHolders', { power: 'audit', userIds: [auditor.userId] })
    const { externalId, linkToken } = await make(anna, { fileId }, { password: 'abcd' })
    // A visitor who has not entered can report too; the report has no visitor name.
    const answer = await wire('reportVisitedLink', { linkToken, ...said })
    expect([answer.code, answer.data]).toEqual(['success', {}])
    const rows = async () => (await admin.call('getAllLinks', { keyword: anna.account, risk: 'reported' })).list
    expect(await rows()).toMatchObject([{ externalId, reports: 1, risks: ['reported'] }])
    expect((await auditor.call('getLinkReports', { externalId })).list).toMatchObject([{ ...said, visitor: '' }])
    const noticesOf = async (who: typeof anna) => JSON.stringify((await who.call('getNotices', {})).groups)
    await expect.poll(() => noticesOf(auditor)).toContain('里面有我的身份证')
    await expect.poll(() => noticesOf(anna)).toContain('reported')
    const told = await noticesOf(anna)
    for (const secret of ['身份证', '13800000000', '127.0.0.1']) expect(told).not.toContain(secret)
    for (const call of ['getLinkReports', 'settleLinkReports'] as const)
      expect(await ben.refusal(call, { externalId })).toBe('noPermission')
    expect(await auditor.refusal('settleLinkReports', { externalId })).toBe('noPermission')
    await admin.call('settleLinkReports', { externalId })
    expect(await rows()).toEqual([])
    expect(await admin.refusal('settleLinkReports', { externalId })).toBe('notFound')
  })

  test('[R228] under the name that its visitor gave; ending the link settles it', async () => {
    const { anna, folderId } = await scene()
    const admin = await world.admin()
    const { externalId, linkToken } = await make(anna, { folderId }, { rights: upload })
    const pass = await enter(linkToken, { name: '周明' })
    expect((await wire('reportVisitedLink', { linkToken, reason: 'fraud' }, pass)).code).toBe('success')
    expect((await admin.call('getLinkReports', { externalId })).list).toMatchObject([
      { reason: 'fraud', comments: '', visitor: '周明' },
    ])
    await admin.call('cancelLinks', { externalIdArray: [externalId] })
    expect((await admin.call('getLinkReports', { externalId })).list).toEqual([])
    // A report of a link that is gone is refused.
    expect((await wire('reportVisitedLink', { linkToken, reason: 'fraud' }, pass)).code).toBe('notFound')
  })

  test('[R228] three times an hour from one network; “other” says what', async () => {
    const { anna, fileId } = await scene()
    const admin = await world.admin()
    const { externalId, linkToken } = await make(anna, { fileId }, { endTime: now() + 48 * hour })
    const once = async (more: object = said) => (await wire('reportVisitedLink', { linkToken, ...more })).code
    expect(await once({ reason: 'other', comments: '  ' })).toBe('badRequest')
    expect(await once({ reason: 'nonsense' })).toBe('badRequest')
    for (let n = 1; n <= 3; n += 1) expect(await once()).toBe('success')
    expect(await once()).toBe('sendingTooOften')
    expect((await admin.call('getLinkReports', { externalId })).list).toHaveLength(3)
    clock.forward(hour + 1)
    expect(await once()).toBe('success')
  })
})
