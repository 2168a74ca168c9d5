import type { ReactNode } from 'react'
import { useDelayed } from './use-delayed.ts'
import './spinner.css'

/** A loading indicator, shown only after a delay ([R073]). */
export function Spinner({ label, size = 24 }: { readonly label?: string; readonly size?: 16 | 24 }): ReactNode {
  const shown = useDelayed(true)
  return (
    <div className="k-spinner" role="status">
      {shown && (
        <>
          <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
            <circle cx="12" cy="12" r="9" stroke="var(--track)" strokeWidth="2.5" />
            <path d="M12 3a9 9 0 0 1 9 9" stroke="var(--progress)" strokeWidth="2.5" strokeLinecap="round" />
          </svg>
          {label}
        </>
      )}
    </div>
  )
}
