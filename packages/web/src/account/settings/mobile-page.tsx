// The way back to the pages for phones, on a device on which the desktop page was chosen.
import type { ReactNode } from 'react'
import { addTexts, type English, useT } from '../../core/i18n/i18n.ts'
import { desktopPageKey, mobilePath } from '../../core/session/phone.ts'
import { store, stored } from '../../core/storage/storage.ts'
import { Button } from '../../kit/button.tsx'
import { SettingRow } from '../frame/side-pages.tsx'

const zh = { 'setting.page': '页面', 'setting.toMobile': '改用手机版页面' } as const
const en: English<typeof zh> = { 'setting.page': 'Page', 'setting.toMobile': 'Use the page for phones' }
type PageTexts = typeof zh
declare module '../../core/i18n/i18n.ts' {
  interface Texts extends PageTexts {}
}
addTexts(zh, en)

function chooseMobilePage(): void {
  store(desktopPageKey, undefined)
  location.assign(mobilePath)
}

export function MobilePageSetting(): ReactNode {
  const t = useT()
  if (stored(desktopPageKey) === undefined) return null
  return (
    <SettingRow label={t('setting.page')}>
      <Button kind="link" onClick={chooseMobilePage}>
        {t('setting.toMobile')}
      </Button>
    </SettingRow>
  )
}
