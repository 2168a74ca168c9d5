// @vitest-environment happy-dom
// Trying the rules of the exchange.
import { codes } from '@cloudoc/domain'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { en, zh } from '../../test/all-texts.ts'
import { type FakeApi, fakeApi } from '../../test/fake-api.ts'
import { button, cleanUp, click, render, screenText, until } from '../../test/render.tsx'
import { signInAs } from '../../test/session.ts'
import { addTexts } from '../core/i18n/i18n.ts'
import { ExchangeTryWindow } from './admin-try.tsx'
import { en as ofAreaEn } from './texts.en.ts'
import { zh as ofAreaZh } from './texts.zh.ts'

addTexts({ ...zh, ...ofAreaZh }, { ...en, ...ofAreaEn })
let server: FakeApi
const answers = {
  sent: {
    ...{ result: 0, ruleId: 2, ruleName: '合同', requirePwd: true },
    tried: [
      { ruleId: 1, ruleName: '图纸', reason: 'kind' },
      { ruleId: 2, ruleName: '合同', reason: 'decides' },
    ],
    rounds: [
      { needed: 1, names: ['王工', '申工'] },
      { needed: 1, names: ['钱工'] },
    ],
  },
  refused: {
    ...{ result: codes.receiverNotInRule.code, ruleId: 0, ruleName: '', requirePwd: false, rounds: [] },
    tried: [{ ruleId: 1, ruleName: '图纸', reason: 'receiver' }],
  },
} as const

beforeEach(() => {
  signInAs(1)
  server = fakeApi({
    tryExchangeRules: answers.sent,
    searchItem2: { list: [{ id: 7, name: '林夏', type: 'user', account: 'lin' }] },
  } as never)
})
afterEach(cleanUp)

// [R261] The rules can be tried on the screen: which decides, why the others do not, and who approves.
test('[R261] the rule that decides, the reasons of the others and the approvers are shown', async () => {
  await render(
    <ExchangeTryWindow
      networks={[{ targetServerCode: 'rd', targetName: '研发内网' }]}
      libraries={[]}
      sender={{ type: 'user', id: 7, name: '林夏' }}
      close={() => undefined}
      setDirty={() => undefined}
    />,
  )
  await click(button('试一试'))
  await until(() => screenText().includes('可以发送，需要审批（规则“合同”）'))
  expect(server.inputsOf('tryExchangeRules')).toMatchObject([{ userId: 7, targetServerCode: 'rd' }])
  for (const text of ['王工、申工，其中 1 人同意', '钱工 同意', '接收人要输入密码', '不允许这种文件', '由它决定'])
    expect(screenText()).toContain(text)
  server.now({ tryExchangeRules: answers.refused } as never)
  await click(button('试一试'))
  await until(() => screenText().includes('不能发送'))
  expect(screenText()).toContain('不包括这个接收人')
})
