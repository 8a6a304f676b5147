/** Where this tab stores the code of an invite link until its user is signed in and has answered. */
const INVITE = 'promised.invite';

/** The invite link by which this tab was opened. */
export const invitation = {
  /** The code; null without one. */
  get code() {
    return sessionStorage.getItem(INVITE);
  },
  keep(code) {
    sessionStorage.setItem(INVITE, code);
  },
  /** Removes and returns the code. */
  take() {
    const { code } = this;
    sessionStorage.removeItem(INVITE);
    return code;
  },
};
