// A signed-in user, for screens that need a session.
import { defaultSetting } from '@cloudoc/contract'
import { capabilityNames } from '@cloudoc/domain'
import { sessionStore } from '../src/core/session/session.ts'

/** Signs in a user without a server. */
export function signInAs(userId: number, accountName = '林夏'): void {
  const account = {
    userId,
    accountId: userId,
    account: 'linxia',
    accountName,
    groupId: 1,
    groupName: '市场中心',
    secretLevel: 0,
    level: 0,
    gender: 1,
    avatar: '',
    isAdmin: false,
    mustChangePassword: false,
    needsSecondFactor: false,
  }
  sessionStore.setState({
    session: {
      account,
      setting: defaultSetting.setting,
      serverSetting: defaultSetting,
      permission: { isAdmin: false, isGuest: false, secretLevel: 0, powers: [], capabilities: [...capabilityNames] },
    },
    ended: false,
  })
}
