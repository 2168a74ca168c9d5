// The features of the product that an operator can switch off as a whole: their calls, pages, pushes and protocols.
export const featureSwitches = ['talk', 'mail', 'workflow', 'signing', 'exchange', 'mobile', 'webdav'] as const
export type FeatureSwitch = (typeof featureSwitches)[number]
