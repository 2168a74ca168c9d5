import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTINGS_PAGE, settingsPage, settingUses } from './settings-table.ts'

const root = join(import.meta.dirname, '..')
const uses = settingUses(root)

/** Settings that no test gives a value by the call that sets them. Only remove names: a new setting comes with its test. */
const withoutTest: readonly string[] = [
  'GL',
  'access_rules',
  'account_limit',
  'ask_profile',
  'authorization_menu',
  'best_server',
  'best_server_property',
  'captcha_always',
  'company_logo',
  'exchange_keep_days',
  'features_off',
  'im_group_days',
  'im_sealed_days',
  'im_user_days',
  'licences',
  'log_space_percent',
  'login_by_qr',
  'login_by_sms',
  'logout_page',
  'mac_editor',
  'makes_pdf',
  'online_edit',
  'operation_application',
  'operation_comment',
  'operation_days',
  'operation_version',
  'personal_space_percent',
  'preview_cells',
  'preview_format',
  'preview_image',
  'preview_multi_edit',
  'preview_office',
  'preview_server',
  'preview_space',
  'preview_video',
  'proxy_address',
  'recycle_days',
  'sandbox_edit',
  'second_factor_admins',
  'secret_at_upload',
  'secret_colours',
  'secret_names',
  'server_space_percent',
  'session_days',
  'setup_done',
  'setup_open',
  'setup_skipped',
  'sign_mail_days',
  'signing',
  'support_contact',
  'token_days',
  'trial_days',
  'trial_role',
  'trial_space',
  'version_days',
  'visitor_days',
]

test('every setting is read by something', () => {
  expect(uses.filter(({ readBy }) => readBy.length === 0).map(({ name }) => name)).toEqual([])
})

test('every setting has a test in which it has another value', () => {
  expect(uses.filter((use) => use.test === undefined).map(({ name }) => name)).toEqual(withoutTest)
})

test('docs/settings.md lists every setting; npm run docs writes it', () => {
  expect(readFileSync(join(root, SETTINGS_PAGE), 'utf8')).toBe(settingsPage(root, uses))
})
