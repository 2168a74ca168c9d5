import type { ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'

/** The decorative half of the login page. */
export function BrandPicture(): ReactNode {
  const t = useT()
  return (
    <aside className="brand">
      <svg viewBox="0 0 560 480" fill="none" aria-hidden="true">
        <g stroke="var(--border-strong)" strokeOpacity=".45" strokeWidth="1.5" strokeDasharray="4 6">
          <path d="M168 300C168 372 236 388 292 388" />
          <path d="M372 132C432 132 456 176 456 220" />
        </g>
        <g transform="translate(88 108)">
          <rect width="168" height="204" rx="12" fill="var(--bg)" stroke="var(--border)" />
          <path
            d="M24 40h88M24 64h120M24 84h120M24 104h96"
            stroke="var(--border)"
            strokeWidth="6"
            strokeLinecap="round"
          />
          <circle cx="52" cy="156" r="22" fill="none" stroke="var(--ft-pdf)" strokeOpacity=".55" strokeWidth="3" />
          <path
            d="m52 146 3 7 7 .6-5.400 4.600 1.700 7-6.300-3.900-6.300 3.900 1.700-7-5.400-4.600 7-.6z"
            fill="var(--ft-pdf)"
            fillOpacity=".55"
          />
        </g>
        <g transform="translate(216 60)">
          <rect width="184" height="232" rx="12" fill="var(--bg)" stroke="var(--border)" />
          <rect x="24" y="28" width="64" height="12" rx="6" fill="var(--text-3)" fillOpacity=".35" />
          <g fill="var(--ft-xls)">
            <rect x="24" y="132" width="20" height="44" rx="3" fillOpacity=".35" />
            <rect x="52" y="108" width="20" height="68" rx="3" fillOpacity=".5" />
            <rect x="80" y="120" width="20" height="56" rx="3" fillOpacity=".35" />
            <rect x="108" y="84" width="20" height="92" rx="3" fillOpacity=".7" />
            <rect x="136" y="68" width="20" height="108" rx="3" fillOpacity=".9" />
          </g>
          <path d="M24 176h136" stroke="var(--border-strong)" strokeWidth="1.500" />
          <path d="M24 200h80" stroke="var(--border)" strokeWidth="6" strokeLinecap="round" />
        </g>
        <g transform="translate(388 220)">
          <rect width="132" height="104" rx="12" fill="var(--bg)" stroke="var(--border)" />
          <circle cx="28" cy="30" r="10" fill="var(--success)" />
          <path
            d="m23 30 3.500 3.500 6.500-7"
            stroke="var(--on-state)"
            strokeWidth="2"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
          <path d="M52 30h56" stroke="var(--border)" strokeWidth="6" strokeLinecap="round" />
          <path d="M28 44v16" stroke="var(--border)" strokeWidth="2" />
          <circle cx="28" cy="74" r="10" fill="var(--info)" />
          <circle cx="28" cy="74" r="4" fill="var(--on-state)" />
          <path d="M52 74h40" stroke="var(--border)" strokeWidth="6" strokeLinecap="round" />
        </g>
        <g transform="translate(256 316)">
          <path
            d="M0 24C0 13 9 4 20 4h40l18 20h82c11 0 20 9 20 20v72c0 11-9 20-20 20H20c-11 0-20-9-20-20z"
            fill="#F5B82E"
          />
          <path d="M0 48h180v68c0 11-9 20-20 20H20c-11 0-20-9-20-20z" fill="#FFCF5C" />
        </g>
      </svg>
      <p className="brand-promise">{t('login.promise')}</p>
      <p className="brand-more">{t('login.promiseMore')}</p>
    </aside>
  )
}
