// Random orders of saving, sending, taking back and sending later: the newest text is sent once, or it is kept.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { few } from '../../../test/full.ts'
import { sharedWorld } from '../../../test/harness.ts'
import { startMailServer } from '../../../test/mail-server.ts'

const world = sharedWorld()

const act = fc.constantFrom(
  ...(['save', 'saveOld', 'send', 'sendOld', 'sendLater', 'takeBack', 'edit', 'reopen'] as const),
)
const orders = fc.sample(fc.array(act, { minLength: 6, maxLength: 14 }), { numRuns: 2000, seed: 20_261_129 })

// [R290] The job that sends names the version that it sends.
test('[R290] whatever the order of saving, sending, taking back and rescheduling, the newest text is sent once or kept', async () => {
  await (await world.admin()).call('setServerSetting', { mailbox_local_hosts: ['127.0.0.1'] })
  const smtp = await startMailServer({
    authMethods: ['PLAIN'],
    allowInsecureAuth: true,
    onAuth: ({ username = '' }, _session, done) => done(null, { user: username }),
  })
  const mia = await world.person('mia')
  const { boxId } = await mia.call('createMailbox', {
    ...{ account: 'mia@example.com', password: 'secret', mailProtocol: 'pop3', fetch: false, ssl: false },
    ...{ popAddress: '127.0.0.1', popPort: 1, smtpAddress: '127.0.0.1', smtpPort: smtp.port },
  })
  for (const [n, order] of few(12, orders).entries()) {
    const to = [{ name: '', address: `r${n}@example.com` }]
    const { outgoingId } = await mia.call('createMailDraft', { boxId, subject: `${n}`, to, text: 'text-0-end' })
    const model = { version: 1, text: 0, isQueued: false }
    for (const what of order) {
      const text = `text-${model.text + 1}-end`
      const saving = { outgoingId, boxId, subject: `${n}`, to, text }
      if (what === 'save' || what === 'edit' || what === 'saveOld') {
        const version = what === 'saveOld' ? model.version - 1 : model.version
        const { code, data } = await mia.wire('saveMailDraft', { ...saving, version })
        expect(code).toBe(model.isQueued ? 'duplicateOperation' : what === 'saveOld' ? 'fileConflict' : 'success')
        if (code !== 'success') continue
        model.version = (data as { version: number }).version
        model.text += 1
      } else if (what === 'takeBack') {
        const { code, data } = await mia.wire('takeMailBack', { outgoingId })
        expect(code).toBe(model.isQueued ? 'success' : 'duplicateOperation')
        if (code !== 'success') continue
        model.version = (data as { version: number }).version
        model.isQueued = false
      } else if (what === 'reopen') {
        const shown = await mia.call('getOutgoingMail', { outgoingId })
        expect([shown.version, shown.text]).toEqual([model.version, `text-${model.text}-end`])
      } else {
        const version = what === 'sendOld' ? model.version - 1 : model.version
        const sendTime = what === 'sendLater' ? { sendTime: Date.now() + 3_600_000 } : {}
        const { code } = await mia.wire('sendMail', { outgoingId, version, ...sendTime })
        expect(code).toBe(model.isQueued ? 'duplicateOperation' : what === 'sendOld' ? 'fileConflict' : 'success')
        if (code !== 'success') continue
        model.isQueued = true
        model.version += 1
      }
    }
    const shown = await mia.call('getOutgoingMail', { outgoingId })
    expect([shown.state, shown.version, shown.text]).toEqual([
      ...[model.isQueued ? 'queued' : 'draft', model.version, `text-${model.text}-end`],
    ])
    if (!model.isQueued) continue
    await world.app.db.updateTable('outgoing_mail').set({ send_at: 0 }).where('id', '=', outgoingId).execute()
    const arrived = await smtp.next((mail) => mail.to.includes(`r${n}@example.com`))
    expect(arrived.source).toContain(`text-${model.text}-end`)
  }
  const receivers = smtp.mails.flatMap(({ to }) => to)
  expect(new Set(receivers).size).toBe(receivers.length)
  expect(receivers.length).toBeGreaterThan(0)
})
