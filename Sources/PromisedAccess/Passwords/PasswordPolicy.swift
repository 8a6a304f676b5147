import Foundation

/// The rule for new passwords (domain §2): 8–128 characters of any kind, except the commonest passwords.
package enum PasswordPolicy {
    /// The allowed number of grapheme clusters.
    package static let length = 8...128

    /// Checks a new password; existing ones are not checked.
    ///
    /// - Parameters:
    ///   - password: not trimmed: spaces count.
    ///   - field: its name on the wire, `password` or `newPassword`.
    /// - Throws: ``TextProblem`` naming the field if it is refused.
    package static func check(_ password: String, field: String = "password") throws(TextProblem) {
        try checkSize(password, field: field)
        guard !TextWeight.hasManyMarks(password) else { throw TextProblem(field: field, reason: .overloadedCharacter) }
        let characters = password.precomposedStringWithCanonicalMapping.count
        guard characters >= length.lowerBound else {
            throw TextProblem(field: field, reason: .tooShort(minimum: length.lowerBound))
        }
        guard characters <= length.upperBound else {
            throw TextProblem(field: field, reason: .tooLong(maximum: length.upperBound))
        }
        guard !CommonPasswords.contains(password) else { throw TextProblem(field: field, reason: .tooCommon) }
    }

    /// Checks the size of any password before any other processing. Throws ``TextProblem`` naming the field if it is
    /// refused.
    package static func checkSize(_ password: String, field: String = "password") throws(TextProblem) {
        try TextWeight.checkBytes(password, of: field, longest: TextWeight.password)
    }
}

/// The passwords that attackers try first: some hundreds of the commonest with at least eight characters, from many
/// languages and keyboards.
///
/// A short list keeps the rule explainable. The limit on failed sign-ins protects against longer lists.
package enum CommonPasswords {
    /// `true` if a password is among the commonest, ignoring case and spaces at both ends.
    package static func contains(_ password: String) -> Bool { all.contains(Nickname.key(for: password)) }

    /// The number of passwords.
    package static var count: Int { all.count }

    private static let all = Set(text.split(whereSeparator: \.isWhitespace).map { Nickname.key(for: String($0)) })

    private static let text = #"""
        !@#$%^&* !@#$%^&*() !qaz2wsx !qaz@wsx 00000000 000000000 0000000000 01234567 012345678 0123456789
        11111111 111111111 1111111111 11111111a 11112222 11223344 1122334455 112233445566 12121212 121212121
        123123123 123123456 123321123 12341234 123412345 12344321 123454321 1234554321 123456123 123456654321
        12345678 123456781 123456789 1234567890 1234567891 12345678910 1234567899 123456789a 123456789q
        123456789z 12345678a 12345678q 12345679 1234567a 123456987 123456aa 123456abc 123456qq 123456qwerty
        12345qwert 1234qwer 123654789 123abc123 123qwe123 123qweasd 123qweasdzxc 12qwaszx 13131313 147258369
        147852369 159357456 159753456 1a2b3c4d 1q2w3e4r 1q2w3e4r! 1q2w3e4r5t 1q2w3e4r5t6y 1qaz!qaz 1qaz2wsx
        1qaz2wsx3edc 1qaz@wsx 1qazxsw2 22222222 222222222 33333333 44444444 456789123 50cent123 5201314520
        55555555 555555555 66666666 741852963 77777777 777777777 789456123 87654321 876543210 88888888 888888888
        963852741 987654321 9876543210 99999999 999999999 a1234567 a12345678 a123456789 a1b2c3d4 a1b2c3d4e5
        aa123456 aa12345678 aaa123456 aaaaaaaa aaaaaaaaa ab123456 abc123!@# abc12345 abc123456 abc123456789
        abcabcabc abcd1234 abcd1234! abcd12345 abcde12345 abcdef123 abcdefg1 abcdefgh abcdefghi abracadabra
        access14 admin123 admin1234 admin12345 admin123456 admin@123 adminadmin administrator alejandra
        alejandro alexander alexander1 alexandra amanda123 america1 andrea123 andrew123 angel123 angelica
        angelina angels123 anthony1 antonio1 aquarius arigatou arsenal1 arsenal123 asd123456 asd123asd asdasdasd
        asdf1234 asdf1234! asdfasdf asdfghjk asdfghjkl asdfghjkl1 asdqwe123 asdzxc123 ashley123 asshole1
        australia autumn123 azerty12 azerty123 azertyui azertyuiop babyboy1 babydoll1 babygirl babygirl1
        babygirl12 bailey123 banana123 bangladesh barcelona barcelona1 baseball baseball1 basketball basketball1
        batman123 beautiful beautiful1 benfica1 benjamin benjamin1 besiktas beyonce1 blackberry blackcat
        blackjack blessed1 blessing blink182 blueberry bonjour1 brittany brittany1 broncos1 bubblegum bubbles1
        bullshit business buster123 butterfly butterfly1 california canada123 capricorn caroline catherine
        celtic123 champion champion1 changeit changeme charlie1 charlie123 charlotte cheese123 chelsea1
        chelsea123 chevrolet chevy123 chocolat chocolate chocolate1 chouchou christian christian1 christina
        christine christopher cocacola commander computer computer1 computer123 contrasena contraseña cookie123
        cookies1 corinthians correcthorsebatterystaple corvette counterstrike courtney cowboys1 creative
        cristina cupcake1 cutegirl daddy123 daniel123 danielle danielle1 darkness december december1 default1
        defender1 destroyer diamond1 diamond123 dkssudgktpdy dollar123 dolphin1 dolphins doraemon doraemon1
        doudou123 dragon123 dragonball eagles123 eduardo1 einstein elizabeth elizabeth1 eminem123 engineer
        estrella facebook facebook1 facebook123 family123 february fenerbahce fernanda fernando ferrari1
        ficken123 fireball firebird flamengo flamengo1 flower123 flowers1 football football1 football12
        football123 forever1 forever21 fortnite1 francesco francisco freedom1 freedom123 freepass friends1
        friends123 friendship fuckoff1 fuckyou! fuckyou1 fuckyou123 fuckyou2 gabriel1 gabriela galatasaray
        gandalf1 gangsta1 gangster garfield germany1 giants123 ginger123 giovanni gmail123 godisgood goldfish
        goodluck goodmorning google123 gorgeous greenday guest123 guest1234 hallo123 hallo1234 harley123
        harmony1 haslo123 hejsan123 hello123 hello1234 hello12345 hellohello hellokitty hellokitty1 honey123
        hunter123 ilovegod ilovehim iloveme1 iloveu123 iloveyou iloveyou! iloveyou1 iloveyou12 iloveyou123
        iloveyou2 iloveyou520 iloveyousomuch india123 india@123 indonesia instagram internet internet1 isabella
        isabella1 istanbul jackdaniels january1 jelszo123 jennifer jennifer1 jessica1 jessica123 jesus123
        jesuschrist jesusislord jonathan jonathan1 jordan123 jordan23 joshua123 justinbieber juventus juventus1
        katherine kawasaki kennwort killer123 kimberly kimberly1 korea123 lakers123 lakers24 leonardo letmein1
        letmein12 letmein123 letmeinplease li123456 lightning liverpool liverpool1 liverpool123 login123
        lollipop london123 lorenzo1 losenord loulou123 love1234 love12345 lovelove lovely123 loveme123 loverboy
        lovergirl loveyou1 lozinka1 lucky123 lucky777 m123456789 maggie123 malaysia manager1 manchester
        manutd123 margaret mariposa marlboro marseille master12 master123 matrix123 matthew1 maverick mcdonalds
        mercedes mercedes1 metallica metallica1 michael1 michael123 michaeljackson michelle michelle1 mickey123
        microsoft midnight midnight1 mima1234 minecraft minecraft1 minnie123 mommy123 monday123 money123
        monkey12 monkey123 moonlight moscow123 motdepasse mother123 motherfucker motorola mountain mustang1
        mustang123 mylove123 mypassword naruto123 newpassword newyork1 newyork123 nicholas nicole123 nigeria1
        nihongo1 nintendo nirvana1 nobita123 nothing1 november october1 onedirection opensesame oracle123
        p@55w0rd p@ssw0rd p@ssw0rd1 p@ssw0rd123 p@ssword pa$$word pa55word packers1 pakistan pakistan123
        palmeiras panther1 paradise parola123 parool123 pass1234 pass12345 pass@123 pass@word1 passw0rd password
        password! password01 password1 password11 password12 password123 password1234 password2 password99
        passwort passwort1 passwort123 patricia patrick1 patriots peaceful peanut123 pepper123 pepsi123
        philippines phoenix1 pimpin123 pineapple platinum playboy1 playboy69 playstation pokemon1 pokemon123
        porsche911 prettygirl princess princess1 princess12 princess123 pussy123 q123456789 q1w2e3r4 q1w2e3r4!
        q1w2e3r4t5 q1w2e3r4t5y6 qaz123456 qazwsx123 qazwsxedc qazwsxedcrfv qazxswedc qlalfqjsgh qq123456
        qq123456789 qwe123!@# qwe123456 qwe123qwe qweasd123 qweasdzxc qweqweqwe qwer1234 qwer1234! qwer12345
        qwer1234@ qwerasdf qwert123 qwert12345 qwerty01 qwerty11 qwerty12 qwerty123 qwerty1234 qwerty12345
        qwerty123456 qwertyqwerty qwertyu1 qwertyui qwertyuiop qwertyйцукен raiders1 rainbow1 rainbow123
        rangers1 rangers123 realmadrid realmadrid1 redsox123 remember ricardo1 rihanna1 rlaehdgus roberto1
        roblox123 rodrigo1 root1234 rootroot s123456789 sagittarius sakura123 salasana samantha samantha1
        samsung1 samsung123 santos123 schalke04 schatz123 school123 scooby123 scorpion sebastian sebastian1
        secret12 secret123 security security1 senha123 senha1234 seoul123 september server123 service1 sexy1234
        sexygirl shadow12 shadow123 sifre123 singapore slipknot slipknot1 snoopy123 snowball snowflake softball
        something spiderman spiderman1 sporting spring123 stargate starlight startrek starwars starwars1
        steelers steelers1 stephanie stephanie1 strawberry student1 student123 success1 summer12 summer123
        summer2020 sunflower sunshine sunshine1 sunshine12 supercalifragilistic superman superman1 superman123
        support1 support123 sweetheart sweetie1 sweety123 system123 teacher1 teamo123 teamomucho temp1234
        temporal tequiero terminator test1234 test12345 test123456 tester123 testing1 testing123 testtest
        testtest1 thepassword thequickbrownfox thomas123 thunder1 tigger12 tigger123 tinkerbell tinkerbell1
        tkfkdgo1 tkfkdgody tokyo123 transformer truelove trustno1 turkey123 twitter1 undertaker undertaker1
        user1234 username valentina valentina1 valeria1 vanessa1 vanessa123 veronica veronica1 victoria
        victoria1 volleyball w123456789 wachtwoord wang123456 warcraft warcraft1 warrior1 welcome1 welcome12
        welcome123 welcome1234 welcome2020 welcome@123 welkom01 welkom123 whatever whatever1 whatever123
        whoknows william1 windows1 windows10 winter123 woaini1314 woaini520 wolverine yahoo123 yamaha123
        yankees1 youtube1 youtube123 z1x2c3v4 zaq12wsx zaq1xsw2 zaq1zaq1 zaqwsxcde zhang123 zxc123456 zxcv1234
        zxcvbnm, zxcvbnm1 zxcvbnm123 zxcvbnma йцукен123 йцукенгш любовь123 наташа123 пароль123 привет123
        """#
}
