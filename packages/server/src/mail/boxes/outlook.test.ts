// Outlook mailboxes: bound at a real OpenID provider (npm oidc-provider), read and sent with its tokens (XOAUTH2) at
// Debian's dovecot and a test server for SMTP, as no Outlook can be reached from a test machine.
import { expect, onTestFinished, test } from 'vitest'
import { certificate } from '../../../test/certificate.ts'
import { openWorld, type Person } from '../../../test/harness.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { mailText, startDovecot } from '../../../test/mails.ts'
import { clientId, clientSecret, startOpenIdProvider } from '../../../test/openid-provider.ts'

const returnPath = '/doc/folder/email/outlook'

/** A server with a provider, and mail servers that take its tokens. */
async function openOutlook(tokenSeconds: number) {
  const world = await openWorld({ publicUrl: 'http://drive.example' })
  const provider = await startOpenIdProvider('http://drive.example', [1], { returnPath, tokenSeconds })
  onTestFinished(() => provider.close())
  const tokensOf = `${provider.issuer}/me`
  const used: string[] = []
  const smtp = await startMailServer({
    ...{ secure: true, cert: certificate.cert, key: certificate.key, authMethods: ['XOAUTH2'], authOptional: false },
    onAuth({ accessToken = '', username = '' }, _session, done) {
      used.push(accessToken)
      const signIn = async (): Promise<void> => {
        const answer = await fetch(tokensOf, { headers: { authorization: `Bearer ${accessToken}` } })
        const { email } = answer.ok ? ((await answer.json()) as { email?: string }) : {}
        if (email === username) done(null, { user: username })
        else done(Object.assign(new Error('wrong'), { responseCode: 535 }))
      }
      void signIn()
    },
  })
  const dovecot = await startDovecot(['fritz'], { tokensOf })
  const admin = await world.admin()
  await admin.call('setServerSetting', {
    mailbox_local_hosts: ['127.0.0.1'],
    outlook_client_id: clientId,
    outlook_authority: provider.issuer,
    outlook_scope: 'openid email offline_access',
    outlook_imap: `127.0.0.1:${dovecot.imapPort}`,
    outlook_smtp: `127.0.0.1:${smtp.port}`,
  })
  await admin.call('setOutlookSecret', { secret: clientSecret })
  provider.people.set('o-1', { sub: 'o-1', email: 'fritz@example.com' })
  provider.who = 'o-1'
  return { world, provider, dovecot, smtp, used, admin }
}

async function fetched(person: Person, boxId: number): Promise<void> {
  await person.call('fetchMail', { boxId })
  await expect
    .poll(async () => (await person.call('getMailbox', { boxId })).isFetching, { timeout: 120_000 })
    .toBe(false)
}

// [R290] An Outlook mailbox is bound by a sign-in there; its mail arrives and leaves by tokens, without a password here.
// [R351] An Outlook mailbox is bound, bound again after its permission has ended, and parted from.
test('[R290] [R351] an Outlook mailbox is bound, read and written by tokens, and bound again', async () => {
  // Every use renews the token.
  const { world, provider, dovecot, smtp, used, admin } = await openOutlook(120)
  const fritz = await world.person('fritz')
  const eve = await world.person('eve')
  expect((await fritz.call('getMailboxes', {})).canBindOutlook).toBe(true)
  expect(await admin.call('getOutlookStatus', {})).toEqual({
    ...{ ready: true, hasSecret: true, mailboxes: 0 },
    returnAddress: expect.stringContaining(returnPath) as string,
  })
  const visit = async (who: Person, boxId?: number): Promise<string> => {
    const { address } = await who.call('startOutlookBinding', { ...(boxId !== undefined && { boxId }) })
    expect(new URL(address).searchParams.get('code_challenge_method')).toBe('S256')
    const back = await provider.visit(address)
    expect(back.pathname).toBe(returnPath)
    return back.search
  }
  const finish = (who: Person, query: string) => who.call('finishOutlookBinding', { query })

  await dovecot.deliver('fritz', mailText('来自 Outlook'))
  const query = await visit(fritz)
  // An answer binds nobody but whoever began, once.
  expect(await eve.refusal('finishOutlookBinding', { query })).toBe('signInAbnormal')
  const { boxId, account } = await finish(fritz, query)
  expect(account).toBe('fritz@example.com')
  expect(await fritz.refusal('finishOutlookBinding', { query })).toBe('signInAbnormal')
  await fetched(fritz, boxId)
  expect(await fritz.call('getMailbox', { boxId })).toMatchObject({
    ...{ state: 'ok', isOutlook: true, isDefault: true, account: 'fritz@example.com' },
  })
  expect((await fritz.call('getMailList', { boxId })).list.map(({ mailTitle }) => mailTitle)).toEqual(['来自 Outlook'])
  const stored = await world.app.db.selectFrom('mailbox').select(['password', 'outlook_tokens']).executeTakeFirst()
  expect(stored?.password).toBe('')
  expect(stored?.outlook_tokens).not.toContain('eyJ')

  // Whatever is entered, the tokens go to the servers of the binding alone.
  const box = await fritz.call('getMailbox', { boxId })
  await fritz.call('updateMailbox', {
    ...{
      boxId,
      account: box.account,
      mailProtocol: 'imap',
      imapAddress: 'evil.example',
      senderName: '弗里茨',
      fetch: false,
    },
  })
  expect(await fritz.call('getMailbox', { boxId })).toMatchObject({ imapAddress: '127.0.0.1', senderName: '弗里茨' })
  expect(
    await fritz.call('checkMailbox', {
      boxId,
      account: box.account,
      mailProtocol: 'imap',
      imapAddress: 'evil.example',
    }),
  ).toMatchObject({ passed: true })

  const draft = await fritz.call('createMailDraft', {
    ...{ boxId, subject: '你好', text: '你好', to: [{ address: 'qianlei@partner.example' }] },
  })
  await fritz.call('sendMail', { outgoingId: draft.outgoingId, version: draft.version })
  await world.app.db.updateTable('outgoing_mail').set({ send_at: 0 }).execute()
  expect(await smtp.next(() => true)).toMatchObject({ from: 'fritz@example.com', user: 'fritz@example.com' })
  expect(new Set(used).size).toBe(used.length)

  // The permission ends at the provider: the mailbox pauses until it is bound again, by its own address.
  await world.app.db.updateTable('mailbox').set({ state: 'ok' }).execute()
  provider.people.delete('o-1')
  await expect
    .poll(async () => {
      await fritz.call('fetchMail', { boxId })
      return (await fritz.call('getMailbox', { boxId })).state
    })
    .toBe('signIn')
  provider.people.set('o-2', { sub: 'o-2', email: 'other@example.com' })
  provider.who = 'o-2'
  provider.forget()
  expect(await fritz.refusal('finishOutlookBinding', { query: await visit(fritz, boxId) })).toBe('badRequest')
  provider.people.set('o-1', { sub: 'o-1', email: 'fritz@example.com' })
  provider.who = 'o-1'
  provider.forget()
  expect(await finish(fritz, await visit(fritz, boxId))).toEqual({ boxId, account })
  await fetched(fritz, boxId)
  expect((await fritz.call('getMailbox', { boxId })).state).toBe('ok')
  expect((await fritz.call('getMailList', { boxId })).list).toHaveLength(1)

  provider.who = undefined
  provider.forget()
  expect(await eve.refusal('finishOutlookBinding', { query: await visit(eve) })).toBe('signInRejected')
  await fritz.call('deleteMailbox', { boxId })
  expect((await admin.call('getOutlookStatus', {})).mailboxes).toBe(0)
})
