// Whether the page still shows what the person may see and do. If it does not, `reopen.js` opens the page again. The
// modules that `reopen.js` imports cannot import it in turn, so they call `openAgain` of this module.

export const pageState = {
  // Whether the server has answered 404 for the page. If so, the content of the page was replaced by the error page.
  isMissing: false,
  // Whether the page is out of date, and shows a button with which the person opens it again.
  isOutdated: false,
};

let reopenOutdated = null;

// Sets the function that opens the page again.
export const setReopen = (act) => { reopenOutdated = act; };

// Opens the page again, so that it shows what the person may see and do now.
export const openAgain = () => reopenOutdated();
