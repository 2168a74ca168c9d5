// An icon as a component. It is hidden from assistive technology unless it has a label.
import type { ReactNode, SVGProps } from 'react'

export type Icon = (props: SVGProps<SVGSVGElement>) => ReactNode

/** Makes an icon from its paths. One of the size `1em` is as large as the text around it. */
export const icon =
  (size: number | '1em', ...paths: readonly string[]): Icon =>
  (props) => {
    const box = size === '1em' ? 20 : size
    const isNamed = props['aria-label'] !== undefined || props['aria-labelledby'] !== undefined
    return (
      <svg
        fill="currentColor"
        width={size}
        height={size}
        viewBox={`0 0 ${box} ${box}`}
        xmlns="http://www.w3.org/2000/svg"
        data-icon=""
        {...(isNamed ? { role: 'img' } : { 'aria-hidden': true })}
        {...props}
      >
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </svg>
    )
  }
