// The windows of the people area.
import { t } from '../core/i18n/i18n.ts'
import { sessionStore } from '../core/session/session.ts'
import { win } from '../core/windows/index.ts'
import type { ChangePasswordProps } from './account/change-password.tsx'
import type { SessionExpiredProps } from './login/session-expired.tsx'
import type { PickedPerson, PickPeopleProps } from './pick/pick-people.tsx'

/** The windows that this area adds to the window catalogue. */
export const peopleWindows = {
  'cloudoc-change-password': win<ChangePasswordProps, boolean>({
    title: 'password.title',
    size: { width: 440, height: 'auto' },
    single: true,
    fromQuery: () => ({ account: sessionStore.getState().session?.account.account ?? '', due: false }),
    load: () => import('./account/change-password.tsx').then((module) => module.ChangePassword),
    sample: { account: 'linxia', due: false },
  }),
  'cloudoc-app-version': win<object>({
    title: 'about.title',
    size: { width: 400, height: 'auto' },
    single: true,
    fromQuery: () => ({}),
    load: () => import('./account/about.tsx').then((module) => module.About),
    sample: {},
  }),
  'people-pick': win<PickPeopleProps, readonly PickedPerson[]>({
    title: ({ title }) => title,
    size: { width: 520, height: 'auto' },
    load: () => import('./pick/pick-people.tsx').then((module) => module.PickPeople),
    sample: { title: '选择主管', ok: '确定', picked: [{ userId: 1, accountName: '王敏' }] },
  }),
  'cloudoc-session-expired': win<SessionExpiredProps, boolean>({
    title: ({ another }) => t(another ? 'expired.anotherTitle' : 'expired.title'),
    size: { width: 400, height: 'auto' },
    blocking: true,
    locked: true,
    load: () => import('./login/session-expired.tsx').then((module) => module.SessionExpired),
    sample: { account: 'linxia', another: true },
  }),
}
