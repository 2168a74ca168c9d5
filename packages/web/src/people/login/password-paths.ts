/** Pages without a session, other than the login page. */
export const setPasswordPath = '/doc/set-password'
export const findPasswordPath = '/doc/findpwd'
