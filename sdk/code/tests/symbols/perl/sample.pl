#!/usr/bin/perl
package Shop::Cart;
use strict;
use warnings;
use List::Util qw(sum);
use constant LIMIT => 10;

our $VERSION = '1.0';

=head2 total

Adds up; sub nothing { } is only text here.

=cut

sub total {
    my ($self, @items) = @_;
    # sub commented { }
    my $text = "sub quoted { }";
    return sum(map { $_->{price} } @items) + helper($#items);
}

# Private by its name.
sub _hidden { return { a => 1 } }

sub Other::Place::outside
{
    my %h = (key => 'it\'s');
    return $h{key};
}
1;
__END__
sub gone { }
