import { type ReactNode, useState } from 'react'
import { useStore } from 'zustand'
import { ShortcutList } from '../../core/area/shortcut-list.tsx'
import { shortcutGroups } from '../../core/area/shortcuts.ts'
import { setLocale, useLocale, useT } from '../../core/i18n/i18n.ts'
import { version } from '../../core/page/version.ts'
import { prefer, preferencesStore } from '../../core/storage/preferences.ts'
import { densities, setDensity, useDensity } from '../../core/theme/density.ts'
import { setSkin, skins, useSkin } from '../../core/theme/theme.ts'
import { openWindow } from '../../core/windows/index.ts'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/fields.tsx'
import { Select } from '../../kit/select.tsx'
import { Switch } from '../../kit/switch.tsx'
import { SettingRow } from '../frame/side-pages.tsx'
import { MobilePageSetting } from './mobile-page.tsx'

export function GeneralSettings(): ReactNode {
  const t = useT()
  const locale = useLocale()
  const { startup, warnLeaving } = useStore(preferencesStore)
  return (
    <>
      <SettingRow label={t('setting.language')}>
        <Select
          size="small"
          label={t('setting.language')}
          value={locale}
          options={(['zh', 'en'] as const).map((value) => ({ value, label: t(`locale.${value}`) }))}
          onChange={(value) => void setLocale(value)}
        />
      </SettingRow>
      <SettingRow label={t('setting.startup')}>
        <Select
          size="small"
          label={t('setting.startup')}
          value={startup}
          options={(['files', 'last'] as const).map((value) => ({ value, label: t(`setting.startup.${value}`) }))}
          onChange={(value) => prefer({ startup: value })}
        />
      </SettingRow>
      <SettingRow label={t('setting.warnLeaving')}>
        <Switch label={t('setting.warnLeaving')} on={warnLeaving} onChange={(on) => prefer({ warnLeaving: on })} />
      </SettingRow>
      <MobilePageSetting />
      <SettingRow label={t('setting.version')}>
        <span className="ac-hint">
          {t('about.client')} {version.client} / {t('about.web')} {version.web}
        </span>
        <Button kind="link" onClick={() => void openWindow('cloudoc-technical-support', {})}>
          {t('support.title')}
        </Button>
      </SettingRow>
    </>
  )
}

export function TransferSettings(): ReactNode {
  const t = useT()
  const { transfers, clashes } = useStore(preferencesStore)
  return (
    <>
      <SettingRow label={t('setting.transfers')}>
        <Select
          size="small"
          label={t('setting.transfers')}
          value={transfers}
          options={[1, 2, 3, 4, 5, 6].map((value) => ({ value, label: t('setting.transfersOf', { n: value }) }))}
          onChange={(value) => prefer({ transfers: value })}
        />
      </SettingRow>
      <SettingRow label={t('setting.clashes')} note={t('setting.clashesNote')}>
        <Select
          size="small"
          label={t('setting.clashes')}
          value={clashes}
          options={(['', 'version', 'keepBoth', 'skip'] as const).map((value) => ({
            value,
            label: t(`setting.clashes.${value === '' ? 'ask' : value}`),
          }))}
          onChange={(value) => prefer({ clashes: value })}
        />
      </SettingRow>
    </>
  )
}

export function AppearanceSettings(): ReactNode {
  const t = useT()
  const skin = useSkin()
  const { density } = useDensity()
  const { followDark, calm } = useStore(preferencesStore)
  return (
    <>
      <h3>{t('account.skin')}</h3>
      <div className="ac-skins">
        {skins.map((one) => (
          <button key={one} type="button" aria-pressed={one === skin} onClick={() => setSkin(one)}>
            <i data-skin={one} aria-hidden="true">
              <b />
              <b />
              <b />
            </i>
            {t(`skin.${one}`)}
          </button>
        ))}
      </div>
      <SettingRow label={t('setting.followDark')} note={t('setting.followDarkNote')}>
        <Switch label={t('setting.followDark')} on={followDark} onChange={(on) => prefer({ followDark: on })} />
      </SettingRow>
      <SettingRow label={t('account.density')}>
        <Select
          size="small"
          label={t('account.density')}
          value={density}
          options={densities.map((value) => ({ value, label: t(`density.${value}`) }))}
          onChange={setDensity}
        />
      </SettingRow>
      <SettingRow label={t('setting.calm')} note={t('setting.calmNote')}>
        <Switch label={t('setting.calm')} on={calm} onChange={(on) => prefer({ calm: on })} />
      </SettingRow>
    </>
  )
}

export function ShortcutSettings(): ReactNode {
  const t = useT()
  const [sought, setSought] = useState('')
  const wanted = sought.trim().toLowerCase()
  const groups = shortcutGroups()
    .map(([title, list]) => {
      const found = list.filter(([keys, does]) => `${t(does)} ${keys.join(' ')}`.toLowerCase().includes(wanted))
      return [title, found] as const
    })
    .filter(([, list]) => list.length > 0)
  return (
    <div className="ac-keys">
      <TextField
        label={t('setting.findKeys')}
        autoFocus
        value={sought}
        onChange={({ target }) => setSought(target.value)}
      />
      {groups.length === 0 && <p className="ac-hint">{t('setting.noKeys', { what: sought })}</p>}
      <ShortcutList groups={groups} />
    </div>
  )
}
